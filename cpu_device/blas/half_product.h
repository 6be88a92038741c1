// SPDX-License-Identifier: MIT
// Products of halves: in float, rounded once at the end.
#pragma once

#include <cstdint>

#include "cpu_device/blas/product.h"
#include "simt/half_type.h"

namespace convkit::simt::blas {

// C is half or float. The factors are float, as its sums are.
template <class Result>
struct HalfProduct {
  bool transpose_a = false, transpose_b = false;
  int m = 0, n = 0, k = 0;
  float alpha = 1;
  const __half* a = nullptr;
  int64_t lda = 1;
  const __half* b = nullptr;
  int64_t ldb = 1;
  float beta = 0;
  Result* c = nullptr;
  int64_t ldc = 1;
};

void multiply(const HalfProduct<float>& product);
void multiply(const HalfProduct<__half>& product);

}  // namespace convkit::simt::blas
