// SPDX-License-Identifier: MIT
// Task 05.2: dE/dw, directly. Every filter tap is a sum over all images and all outputs: few sums,
// each very long.
#include "arguments.cuh"
#include "reduction.cuh"
#include "taps.cuh"

namespace {

// TODO(05.2): the kernels go here. Scatter first: a thread owns an element of dy.

}  // namespace

cudaError_t conv2d_wgrad_scatter(const float* d_x, const float* d_dy, float* d_dw,
                                 const Conv2dShape* shape, int accumulate, cudaStream_t stream) {
  // TODO(05.2): clear dw unless accumulate, and launch the scattering kernel.
  CONVKIT_TODO("05.2");
  return cudaSuccess;
}

size_t conv2d_wgrad_workspace(const Conv2dShape* shape) {
  // TODO(05.2): how many bytes do the partial sums take?
  return 0;
}

cudaError_t conv2d_wgrad(const float* d_x, const float* d_dy, float* d_dw, const Conv2dShape* shape,
                         int accumulate, void* d_workspace, size_t workspace_bytes,
                         cudaStream_t stream) {
  // TODO(05.2): two kernels. The first leaves partial sums in the workspace, the second adds
  // them up. No atomics: the same bits on every run.
  CONVKIT_TODO("05.2");
  return cudaSuccess;
}
