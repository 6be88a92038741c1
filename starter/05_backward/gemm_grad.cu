// SPDX-License-Identifier: MIT
// Task 05.4: both gradients as matrix products with the unrolled image, as fast as possible.
#include "arguments.cuh"
#include "taps.cuh"

size_t conv2d_xgrad_gemm_workspace(const Conv2dShape* shape) {
  // TODO(05.4): how many bytes conv2d_xgrad_gemm needs, for a part of the mini-batch at a time.
  (void)shape;
  return 0;
}

cudaError_t conv2d_xgrad_gemm(const float* d_dy, const float* d_w, float* d_dx,
                              const Conv2dShape* shape, int accumulate, void* d_workspace,
                              size_t workspace_bytes, cudaStream_t stream) {
  // TODO(05.4): the gradient of the unrolled matrix is w^T dy; rolled back, it is dx. Begin by
  // calling conv2d_xgrad_gather.
  CONVKIT_TODO("05.4");
  return cudaSuccess;
}

size_t conv2d_wgrad_gemm_workspace(const Conv2dShape* shape) {
  // TODO(05.4): how many bytes conv2d_wgrad_gemm needs.
  (void)shape;
  return 0;
}

cudaError_t conv2d_wgrad_gemm(const float* d_x, const float* d_dy, float* d_dw,
                              const Conv2dShape* shape, int accumulate, void* d_workspace,
                              size_t workspace_bytes, cudaStream_t stream) {
  // TODO(05.4): dy times the transposed unrolled matrix of x. Begin by calling conv2d_wgrad.
  CONVKIT_TODO("05.4");
  return cudaSuccess;
}
