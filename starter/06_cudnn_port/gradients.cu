// SPDX-License-Identifier: MIT
// Task 06.4: the backward pass. A gradient has the descriptor of the tensor that it belongs to.
#include "convolution.cuh"
#include "cudnn_port.h"

cudnnStatus_t conv2d_backward_data_workspace(cudnnHandle_t handle, const Conv2dShape* shape,
                                             cudnnConvolutionBwdDataAlgo_t algo, size_t* bytes) {
  // TODO(06.4): this pass has its own algorithms and its own query.
  CONVKIT_TODO("06.4");
  (void)handle, (void)shape, (void)algo, (void)bytes;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t conv2d_backward_data(cudnnHandle_t handle, const Conv2dShape* shape,
                                   cudnnConvolutionBwdDataAlgo_t algo, float alpha,
                                   const float* d_dy, const float* d_w, float beta, float* d_dx,
                                   void* d_workspace, size_t workspace_bytes, cudaStream_t stream) {
  // TODO(06.4): cudnnConvolutionBackwardData. alpha and beta do the accumulation.
  CONVKIT_TODO("06.4");
  (void)handle, (void)shape, (void)algo, (void)alpha, (void)d_dy, (void)d_w, (void)beta;
  (void)d_dx, (void)d_workspace, (void)workspace_bytes, (void)stream;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t conv2d_backward_filter_workspace(cudnnHandle_t handle, const Conv2dShape* shape,
                                               cudnnConvolutionBwdFilterAlgo_t algo,
                                               size_t* bytes) {
  // TODO(06.4): as for the data.
  CONVKIT_TODO("06.4");
  (void)handle, (void)shape, (void)algo, (void)bytes;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t conv2d_backward_filter(cudnnHandle_t handle, const Conv2dShape* shape,
                                     cudnnConvolutionBwdFilterAlgo_t algo, float alpha,
                                     const float* d_x, const float* d_dy, float beta, float* d_dw,
                                     void* d_workspace, size_t workspace_bytes,
                                     cudaStream_t stream) {
  // TODO(06.4): cudnnConvolutionBackwardFilter.
  CONVKIT_TODO("06.4");
  (void)handle, (void)shape, (void)algo, (void)alpha, (void)d_x, (void)d_dy, (void)beta;
  (void)d_dw, (void)d_workspace, (void)workspace_bytes, (void)stream;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t conv2d_backward_bias(cudnnHandle_t handle, const Conv2dShape* shape, float alpha,
                                   const float* d_dy, float beta, float* d_db,
                                   cudaStream_t stream) {
  // TODO(06.4): cudnnConvolutionBackwardBias, which needs no algorithm.
  CONVKIT_TODO("06.4");
  (void)handle, (void)shape, (void)alpha, (void)d_dy, (void)beta, (void)d_db, (void)stream;
  return CUDNN_STATUS_SUCCESS;
}
