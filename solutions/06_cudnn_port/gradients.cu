// SPDX-License-Identifier: MIT
// Task 06.4: the backward pass. A gradient has the descriptor of the tensor that it belongs to.
#include "convolution.cuh"
#include "cudnn_port.h"

cudnnStatus_t conv2d_backward_data_workspace(cudnnHandle_t handle, const Conv2dShape* shape,
                                             cudnnConvolutionBwdDataAlgo_t algo, size_t* bytes) {
  // BEGIN SOLUTION(06.4)
  //> // TODO(06.4): this pass has its own algorithms and its own query.
  //> CONVKIT_TODO("06.4");
  //> (void)handle, (void)shape, (void)algo, (void)bytes;
  //> return CUDNN_STATUS_SUCCESS;
  Convolution c;
  CUDNN_TRY(c.describe(*shape));
  return cudnnGetConvolutionBackwardDataWorkspaceSize(handle, c.w.get(), c.y.get(), c.conv.get(),
                                                      c.x.get(), algo, bytes);
  // END SOLUTION
}

cudnnStatus_t conv2d_backward_data(cudnnHandle_t handle, const Conv2dShape* shape,
                                   cudnnConvolutionBwdDataAlgo_t algo, float alpha,
                                   const float* d_dy, const float* d_w, float beta, float* d_dx,
                                   void* d_workspace, size_t workspace_bytes, cudaStream_t stream) {
  // BEGIN SOLUTION(06.4)
  //> // TODO(06.4): cudnnConvolutionBackwardData. alpha and beta do the accumulation.
  //> CONVKIT_TODO("06.4");
  //> (void)handle, (void)shape, (void)algo, (void)alpha, (void)d_dy, (void)d_w, (void)beta;
  //> (void)d_dx, (void)d_workspace, (void)workspace_bytes, (void)stream;
  //> return CUDNN_STATUS_SUCCESS;
  Convolution c;
  CUDNN_TRY(c.describe(*shape));
  CUDNN_TRY(cudnnSetStream(handle, stream));
  return cudnnConvolutionBackwardData(handle, &alpha, c.w.get(), d_w, c.y.get(), d_dy, c.conv.get(),
                                      algo, d_workspace, workspace_bytes, &beta, c.x.get(), d_dx);
  // END SOLUTION
}

cudnnStatus_t conv2d_backward_filter_workspace(cudnnHandle_t handle, const Conv2dShape* shape,
                                               cudnnConvolutionBwdFilterAlgo_t algo,
                                               size_t* bytes) {
  // BEGIN SOLUTION(06.4)
  //> // TODO(06.4): as for the data.
  //> CONVKIT_TODO("06.4");
  //> (void)handle, (void)shape, (void)algo, (void)bytes;
  //> return CUDNN_STATUS_SUCCESS;
  Convolution c;
  CUDNN_TRY(c.describe(*shape));
  return cudnnGetConvolutionBackwardFilterWorkspaceSize(handle, c.x.get(), c.y.get(), c.conv.get(),
                                                        c.w.get(), algo, bytes);
  // END SOLUTION
}

cudnnStatus_t conv2d_backward_filter(cudnnHandle_t handle, const Conv2dShape* shape,
                                     cudnnConvolutionBwdFilterAlgo_t algo, float alpha,
                                     const float* d_x, const float* d_dy, float beta, float* d_dw,
                                     void* d_workspace, size_t workspace_bytes,
                                     cudaStream_t stream) {
  // BEGIN SOLUTION(06.4)
  //> // TODO(06.4): cudnnConvolutionBackwardFilter.
  //> CONVKIT_TODO("06.4");
  //> (void)handle, (void)shape, (void)algo, (void)alpha, (void)d_x, (void)d_dy, (void)beta;
  //> (void)d_dw, (void)d_workspace, (void)workspace_bytes, (void)stream;
  //> return CUDNN_STATUS_SUCCESS;
  Convolution c;
  CUDNN_TRY(c.describe(*shape));
  CUDNN_TRY(cudnnSetStream(handle, stream));
  return cudnnConvolutionBackwardFilter(handle, &alpha, c.x.get(), d_x, c.y.get(), d_dy,
                                        c.conv.get(), algo, d_workspace, workspace_bytes, &beta,
                                        c.w.get(), d_dw);
  // END SOLUTION
}

cudnnStatus_t conv2d_backward_bias(cudnnHandle_t handle, const Conv2dShape* shape, float alpha,
                                   const float* d_dy, float beta, float* d_db,
                                   cudaStream_t stream) {
  // BEGIN SOLUTION(06.4)
  //> // TODO(06.4): cudnnConvolutionBackwardBias, which needs no algorithm.
  //> CONVKIT_TODO("06.4");
  //> (void)handle, (void)shape, (void)alpha, (void)d_dy, (void)beta, (void)d_db, (void)stream;
  //> return CUDNN_STATUS_SUCCESS;
  Convolution c;
  CUDNN_TRY(c.describe(*shape));
  CUDNN_TRY(cudnnSetStream(handle, stream));
  return cudnnConvolutionBackwardBias(handle, &alpha, c.y.get(), d_dy, &beta, c.bias.get(), d_db);
  // END SOLUTION
}
