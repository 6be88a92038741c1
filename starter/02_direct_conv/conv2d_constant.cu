// SPDX-License-Identifier: MIT
// Task 02.3: the same convolution with its filters in constant memory. All threads of a warp need
// the same weight at the same time, and that is what constant memory is made for.
#include "direct_conv.h"
#include "error_check.h"

cudaError_t conv2d_constant(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                            const Conv2dShape* shape, cudaStream_t stream) {
  // TODO(02.3): copy as many whole filters into a __constant__ array as fit, launch a kernel
  // for their feature maps, and go on with the next ones until all m are done.
  CONVKIT_TODO("02.3");
  return cudaSuccess;
}
