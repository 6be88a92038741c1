// SPDX-License-Identifier: MIT
// Task 06.4: the backward pass. Where each gradient goes is described like what it is taken of.
#include "convolution.cuh"
#include "cudnn_port.h"

static const float kZero = 0.0f;

cudnnStatus_t conv2d_backward_data_workspace(cudnnHandle_t handle, const Conv2dShape* shape,
                                             cudnnConvolutionBwdDataAlgo_t algo, size_t* bytes) {
  Convolution c;
  CUDNN_TRY(c.describe(*shape));
  return cudnnGetConvolutionBackwardDataWorkspaceSize(handle, c.w.get(), c.y.get(), c.conv.get(),
                                                      c.x.get(), algo, bytes);
}

cudnnStatus_t conv2d_backward_data(cudnnHandle_t handle, const Conv2dShape* shape,
                                   cudnnConvolutionBwdDataAlgo_t algo, float alpha,
                                   const float* d_dy, const float* d_w, float beta, float* d_dx,
                                   void* d_workspace, size_t workspace_bytes, cudaStream_t stream) {
  Convolution c;
  CUDNN_TRY(c.describe(*shape));
  (void)beta;
  CUDNN_TRY(cudnnSetStream(handle, stream));
  return cudnnConvolutionBackwardData(handle, &alpha, c.w.get(), d_w, c.y.get(), d_dy, c.conv.get(),
                                      algo, d_workspace, workspace_bytes, &kZero, c.x.get(), d_dx);
}

cudnnStatus_t conv2d_backward_filter_workspace(cudnnHandle_t handle, const Conv2dShape* shape,
                                               cudnnConvolutionBwdFilterAlgo_t algo,
                                               size_t* bytes) {
  Convolution c;
  CUDNN_TRY(c.describe(*shape));
  return cudnnGetConvolutionBackwardFilterWorkspaceSize(handle, c.x.get(), c.y.get(), c.conv.get(),
                                                        c.w.get(), algo, bytes);
}

cudnnStatus_t conv2d_backward_filter(cudnnHandle_t handle, const Conv2dShape* shape,
                                     cudnnConvolutionBwdFilterAlgo_t algo, float alpha,
                                     const float* d_x, const float* d_dy, float beta, float* d_dw,
                                     void* d_workspace, size_t workspace_bytes,
                                     cudaStream_t stream) {
  Convolution c;
  CUDNN_TRY(c.describe(*shape));
  (void)beta;
  CUDNN_TRY(cudnnSetStream(handle, stream));
  return cudnnConvolutionBackwardFilter(handle, &alpha, c.x.get(), d_x, c.y.get(), d_dy,
                                        c.conv.get(), algo, d_workspace, workspace_bytes, &kZero,
                                        c.w.get(), d_dw);
}

cudnnStatus_t conv2d_backward_bias(cudnnHandle_t handle, const Conv2dShape* shape, float alpha,
                                   const float* d_dy, float beta, float* d_db,
                                   cudaStream_t stream) {
  Convolution c;
  CUDNN_TRY(c.describe(*shape));
  (void)beta;
  CUDNN_TRY(cudnnSetStream(handle, stream));
  return cudnnConvolutionBackwardBias(handle, &alpha, c.y.get(), d_dy, &kZero, c.bias.get(), d_db);
}
