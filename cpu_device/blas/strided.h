// SPDX-License-Identifier: MIT
// A vector in memory: element i of n, in the order that BLAS gives it.
#pragma once

#include "cpu_device/blas/arguments.h"

namespace convkit::simt::blas {

template <class T>
struct Strided {
  T* first;
  int64_t inc;

  Strided(T* begin, int64_t n, int64_t distance)
      : first(first_element(begin, n, distance)), inc(distance) {}
  T& operator[](int64_t i) const { return first[i * inc]; }
};

}  // namespace convkit::simt::blas
