// SPDX-License-Identifier: MIT
// Task 05.1: dE/dx, directly, in two ways. Gather: each element of dx collects what belongs to it.
// Scatter: each element of dy sends its parts to where they belong.
#include "arguments.cuh"
#include "taps.cuh"

namespace {

// TODO(05.1): two kernels go here. In the first a thread loops over the outputs that read its
// element of x; in the second over the inputs that its element of y was computed from.

}  // namespace

cudaError_t conv2d_xgrad_gather(const float* d_dy, const float* d_w, float* d_dx,
                                const Conv2dShape* shape, int accumulate, cudaStream_t stream) {
  // TODO(05.1): check the arguments as below, launch the first kernel, return its error.
  //   check_arguments({{d_dy, shape->y_size()}, {d_w, shape->w_size()}, {d_dx, ...}}, *shape)
  CONVKIT_TODO("05.1");
  return cudaSuccess;
}

cudaError_t conv2d_xgrad_scatter(const float* d_dy, const float* d_w, float* d_dx,
                                 const Conv2dShape* shape, int accumulate, cudaStream_t stream) {
  // TODO(05.1): the same with the second kernel. What does dx hold before the first addition?
  CONVKIT_TODO("05.1");
  return cudaSuccess;
}
