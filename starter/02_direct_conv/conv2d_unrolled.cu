// SPDX-License-Identifier: MIT
// Task 02.4: still one thread for each output; the compiler is told everything that it can use.
#include "direct_conv.h"
#include "error_check.h"

cudaError_t conv2d_unrolled(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                            const Conv2dShape* shape, cudaStream_t stream) {
  // TODO(02.4): the result of conv2d_direct, faster. kh and kw are from 1 to 7.
  CONVKIT_TODO("02.4");
  return cudaSuccess;
}
