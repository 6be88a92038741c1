// SPDX-License-Identifier: MIT
// Task 06.6: a whole network through the library. A dense layer is a convolution whose filter is as
// large as its image.
#include <algorithm>

#include "convolution.cuh"
#include "cudnn_port.h"

// TODO(06.6): the shapes of the five layers first.

cudnnStatus_t lenet_workspace(cudnnHandle_t handle, int n, size_t* bytes) {
  // TODO(06.6): two buffers for activations, and the largest workspace of the five layers.
  CONVKIT_TODO("06.6");
  (void)handle, (void)n, (void)bytes;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t lenet_forward(cudnnHandle_t handle, const float* d_x, const LenetWeights* weights,
                            float* d_y, int n, void* d_workspace, size_t workspace_bytes,
                            cudaStream_t stream) {
  // TODO(06.6): cudnnConvolutionBiasActivationForward for the layers with ReLU,
  // pool2d_forward, conv2d_forward for fc3, softmax_forward.
  CONVKIT_TODO("06.6");
  (void)handle, (void)d_x, (void)weights, (void)d_y, (void)n, (void)d_workspace;
  (void)workspace_bytes, (void)stream;
  return CUDNN_STATUS_SUCCESS;
}
