// SPDX-License-Identifier: MIT
// Task 05.5: back through pooling. Both kernels gather: a thread owns an element of dx and looks at
// the windows that hold it.
#include <cuda_runtime.h>

#include "backward.h"
#include "convkit/grid_stride_range.h"

namespace {

// TODO(05.5): the kernels go here. Which windows hold element (row, col)?

}  // namespace

cudaError_t max_pool2d_backward(const float* d_x, const float* d_dy, float* d_dx,
                                const Pool2dShape* shape, cudaStream_t stream) {
  // TODO(05.5): each window's gradient goes to its first largest element, found again in x.
  CONVKIT_TODO("05.5");
  return cudaSuccess;
}

cudaError_t avg_pool2d_backward(const float* d_dy, float* d_dx, const Pool2dShape* shape,
                                int count_padding, cudaStream_t stream) {
  // TODO(05.5): each window's gradient in equal parts to its elements.
  CONVKIT_TODO("05.5");
  return cudaSuccess;
}
