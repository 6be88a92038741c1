// SPDX-License-Identifier: MIT
// Comparing an output with its float64 reference under a derived error bound.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace convkit {

// |y - ref| <= factor * gamma(terms) * magnitude, with gamma(n) = n u / (1 - n u)
// (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1) and
// magnitude = sum |x||w|: holds for any order of summation. One smallest subnormal per term is
// added, for products that underflow. terms == 0 asks for exact equality (-0 equals +0).
struct Tolerance {
  double terms = 0;
  double unit_roundoff = 0x1p-24;
  double factor = 1;
  // Throws std::invalid_argument where the bound says nothing: terms * unit_roundoff >= 1.
  double gamma() const;
  double allowed(double magnitude) const;
};

struct Mismatch {
  int64_t index = -1;
  float got = 0;
  double expected = 0;
  double allowed = 0;
  // |got - expected| / allowed; infinity for NaN, and where exact equality is asked.
  double ratio = 0;
};

struct Comparison {
  int64_t elements = 0;
  int64_t wrong = 0;      // includes the next three
  int64_t unwritten = 0;  // the sentinel's bits are still there
  int64_t from_unwritten =
      0;            // NaN that arithmetic made of the sentinel: "+=" on an output never set
  int64_t nan = 0;  // other NaN where the reference is a number
  Mismatch first;   // the lowest index
  Mismatch worst;   // the largest ratio, among equal ones the largest difference
  bool passed() const { return wrong == 0 && elements >= 0; }
};

// `got`, `reference` and `magnitude` have the same length (else std::invalid_argument); magnitude
// may be empty when terms == 0. A NaN in the reference is matched by any NaN in `got` that does not
// come from the sentinel, an infinity only by the same infinity.
Comparison compare(std::span<const float> got, std::span<const double> reference,
                   std::span<const double> magnitude, const Tolerance& tolerance);

// Exact. Mismatch::got holds the value rounded to float; the sentinel's bits count as unwritten
// unless the reference happens to hold them too.
Comparison compare_int(std::span<const int32_t> got, std::span<const int32_t> reference);

}  // namespace convkit
