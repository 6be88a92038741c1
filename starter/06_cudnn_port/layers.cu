// SPDX-License-Identifier: MIT
// Task 06.5: pooling, activations and softmax, forward and backward.
#include "cudnn_port.h"
#include "descriptors.cuh"

namespace {

const float kOne = 1.0f, kZero = 0.0f;  // results replace what was there

// TODO(06.5): the descriptors of a pooling and of an activation, as in convolution.cuh.

}  // namespace

cudnnStatus_t pool2d_forward(cudnnHandle_t handle, const Pool2dShape* shape,
                             cudnnPoolingMode_t mode, const float* d_x, float* d_y,
                             cudaStream_t stream) {
  // TODO(06.5): a pooling descriptor by the Nd flow, and cudnnPoolingForward.
  CONVKIT_TODO("06.5");
  (void)handle, (void)shape, (void)mode, (void)d_x, (void)d_y, (void)stream;
  (void)kOne, (void)kZero;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t pool2d_backward(cudnnHandle_t handle, const Pool2dShape* shape,
                              cudnnPoolingMode_t mode, const float* d_x, const float* d_y,
                              const float* d_dy, float* d_dx, cudaStream_t stream) {
  // TODO(06.5): cudnnPoolingBackward takes y, dy and x, in this order.
  CONVKIT_TODO("06.5");
  (void)handle, (void)shape, (void)mode, (void)d_x, (void)d_y, (void)d_dy, (void)d_dx;
  (void)stream;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t activation_forward(cudnnHandle_t handle, cudnnActivationMode_t mode, const float* d_x,
                                 float* d_y, int size, cudaStream_t stream) {
  // TODO(06.5): one tensor of 1 x 1 x 1 x size serves for x and for y.
  CONVKIT_TODO("06.5");
  (void)handle, (void)mode, (void)d_x, (void)d_y, (void)size, (void)stream;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t activation_backward(cudnnHandle_t handle, cudnnActivationMode_t mode,
                                  const float* d_y, const float* d_dy, float* d_dx, int size,
                                  cudaStream_t stream) {
  // TODO(06.5): y, dy and x, in this order; y stands in for x.
  CONVKIT_TODO("06.5");
  (void)handle, (void)mode, (void)d_y, (void)d_dy, (void)d_dx, (void)size, (void)stream;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t softmax_forward(cudnnHandle_t handle, const float* d_x, float* d_y, int n, int k,
                              cudaStream_t stream) {
  // TODO(06.5): rows are images, classes are channels. Of the algorithms only one subtracts the
  // largest element first.
  CONVKIT_TODO("06.5");
  (void)handle, (void)d_x, (void)d_y, (void)n, (void)k, (void)stream;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t softmax_backward(cudnnHandle_t handle, const float* d_y, const float* d_dy,
                               float* d_dx, int n, int k, cudaStream_t stream) {
  // TODO(06.5): with the same algorithm and mode as forward.
  CONVKIT_TODO("06.5");
  (void)handle, (void)d_y, (void)d_dy, (void)d_dx, (void)n, (void)k, (void)stream;
  return CUDNN_STATUS_SUCCESS;
}
