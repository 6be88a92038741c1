// SPDX-License-Identifier: MIT
// Directed rounding without touching the processor's rounding mode: compute to nearest, find out on
// which side of the exact value that lies, and step to the neighbour where the mode asks for it.
#pragma once

#include "simt/bits.h"

namespace convkit::simt {

enum class Rounding { kNearest, kZero, kUp, kDown };

// The next larger number; of a maximum that is infinity, of both zeros the smallest positive one.
template <class Real>
static inline Real next_up(Real value) {
  using Bits = typename BitsOf<Real>::Type;
  const Bits bits = bits_as<Bits>(value);
  if (value == 0) return bits_as<Real>(static_cast<Bits>(1));
  return bits_as<Real>(static_cast<Bits>(bits < 0 ? bits - 1 : bits + 1));
}

template <class Real>
static inline Real next_down(Real value) {
  return -next_up(-value);
}

// `nearest` is the exact value rounded to nearest; `error` has the sign of exact - nearest (NaN
// where nothing is to be done).
template <Rounding mode, class Real, class Error>
static inline Real directed(Real nearest, Error error) {
  if (mode == Rounding::kUp && error > 0) return next_up(nearest);
  if (mode == Rounding::kDown && error < 0) return next_down(nearest);
  if (mode == Rounding::kZero && error < 0 && nearest > 0) return next_down(nearest);
  if (mode == Rounding::kZero && error > 0 && nearest < 0) return next_up(nearest);
  return nearest;
}

// A sum that is exactly zero is -0 when rounding down, unless both summands are +0.
template <Rounding mode, class Real>
static inline Real signed_zero(Real sum, bool some_negative) {
  return mode == Rounding::kDown && sum == 0 && some_negative ? static_cast<Real>(-0.0) : sum;
}

// The error of the rounded sum. Exact, as long as the sum did not overflow; then the overflow
// itself says on which side the exact value lies.
template <class Real>
static inline Real sum_error(Real left, Real right, Real sum) {
  const bool left_larger =
      __builtin_fabs(static_cast<double>(left)) >= __builtin_fabs(static_cast<double>(right));
  const Real large = left_larger ? left : right;
  const Real small = left_larger ? right : left;
  if (__builtin_isinf(sum)) return __builtin_isinf(large) ? 0 : -sum;
  return small - (sum - large);
}

}  // namespace convkit::simt

// __fadd_rn() and its like, which rounded_float.h and rounded_double.h have in common: of `Real`,
// whose names begin with `letter`.
#define CONVKIT_SIMT_ROUNDED(Real, letter, suffix, mode)                         \
  static inline Real __##letter##add_##suffix(Real left, Real right) {           \
    return convkit::simt::add<convkit::simt::Rounding::mode>(left, right);       \
  }                                                                              \
  static inline Real __##letter##sub_##suffix(Real left, Real right) {           \
    return convkit::simt::add<convkit::simt::Rounding::mode>(left, -right);      \
  }                                                                              \
  static inline Real __##letter##mul_##suffix(Real left, Real right) {           \
    return convkit::simt::multiply<convkit::simt::Rounding::mode>(left, right);  \
  }                                                                              \
  static inline Real __##letter##div_##suffix(Real left, Real right) {           \
    return convkit::simt::divide<convkit::simt::Rounding::mode>(left, right);    \
  }                                                                              \
  static inline Real __##letter##rcp_##suffix(Real value) {                      \
    return convkit::simt::divide<convkit::simt::Rounding::mode>(Real{1}, value); \
  }                                                                              \
  static inline Real __##letter##sqrt_##suffix(Real value) {                     \
    return convkit::simt::square_root<convkit::simt::Rounding::mode>(value);     \
  }

#define CONVKIT_SIMT_FUSED(Real, name, mode)                                                 \
  static inline Real name(Real left, Real right, Real summand) {                             \
    return convkit::simt::multiply_add<convkit::simt::Rounding::mode>(left, right, summand); \
  }
