// SPDX-License-Identifier: MIT
// Task 04.1: the unrolled matrix, with two ways to divide the work among threads. In both,
// neighbouring threads take neighbouring columns: their stores fill whole lines of memory.
#include "unroll_index.cuh"

namespace {

// TODO(04.1): both kernels go here.

}  // namespace

int64_t unroll_offset(const Conv2dShape* shape, int64_t image, int64_t row, int64_t column) {
  // TODO(04.1): unroll_index.cuh.
  CONVKIT_TODO("04.1");
  return 0;
}

cudaError_t unroll_elements(const float* d_x, float* d_u, const Conv2dShape* shape,
                            cudaStream_t stream) {
  // TODO(04.1): launch a thread for each element of u on `stream`.
  CONVKIT_TODO("04.1");
  return cudaSuccess;
}

cudaError_t unroll_columns(const float* d_x, float* d_u, const Conv2dShape* shape,
                           cudaStream_t stream) {
  // TODO(04.1): launch a thread for each column of u; some hundred blocks are enough for any
  // number of them.
  CONVKIT_TODO("04.1");
  return cudaSuccess;
}
