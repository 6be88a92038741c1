// SPDX-License-Identifier: MIT
// Task 02.1: a computation on the device, from the first allocation to the last copy, once for
// vectors and once for matrices.
#include "direct_conv.h"
#include "error_check.h"

cudaError_t vector_add(const float* a, const float* b, float* c, int64_t n) {
  // TODO(02.1): c = a + b, computed on the device: allocate, copy there, launch, check, copy
  // back, free. The first error is returned.
  CONVKIT_TODO("02.1");
  return cudaSuccess;
}

cudaError_t matrix_product(const float* a, const float* b, float* c, int rows, int inner,
                           int cols) {
  // TODO(02.1): c = a b, computed on the device with one thread for each element of c.
  CONVKIT_TODO("02.1");
  return cudaSuccess;
}
