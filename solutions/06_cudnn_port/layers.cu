// SPDX-License-Identifier: MIT
// Task 06.5: pooling, activations and softmax, forward and backward.
#include "cudnn_port.h"
#include "descriptors.cuh"

namespace {

const float kOne = 1.0f, kZero = 0.0f;  // results replace what was there

// BEGIN SOLUTION(06.5)
//> // TODO(06.5): the descriptors of a pooling and of an activation, as in convolution.cuh.
struct Pooling {
  TensorDescriptor x, y;
  PoolingDescriptor window;

  cudnnStatus_t describe(const Pool2dShape& s, cudnnPoolingMode_t mode) {
    const int size[] = {s.kh, s.kw};
    const int pad[] = {s.pad_h, s.pad_w};
    const int stride[] = {s.stride_h, s.stride_w};
    int output[4];
    CUDNN_TRY(describe_tensor(x, s.n, s.c, s.h, s.w));
    CUDNN_TRY(window.create());
    CUDNN_TRY(
        cudnnSetPoolingNdDescriptor(window.get(), mode, CUDNN_PROPAGATE_NAN, 2, size, pad, stride));
    CUDNN_TRY(cudnnGetPoolingNdForwardOutputDim(window.get(), x.get(), 4, output));
    return describe_tensor(y, output[0], output[1], output[2], output[3]);
  }
};

// For element-wise operations the shape does not matter: one row.
struct Activation {
  TensorDescriptor row;
  ActivationDescriptor function;

  cudnnStatus_t describe(cudnnActivationMode_t mode, int size) {
    CUDNN_TRY(describe_tensor(row, 1, 1, 1, size));
    CUDNN_TRY(function.create());
    return cudnnSetActivationDescriptor(function.get(), mode, CUDNN_PROPAGATE_NAN, 0.0);
  }
};
// END SOLUTION

}  // namespace

cudnnStatus_t pool2d_forward(cudnnHandle_t handle, const Pool2dShape* shape,
                             cudnnPoolingMode_t mode, const float* d_x, float* d_y,
                             cudaStream_t stream) {
  // BEGIN SOLUTION(06.5)
  //> // TODO(06.5): a pooling descriptor by the Nd flow, and cudnnPoolingForward.
  //> CONVKIT_TODO("06.5");
  //> (void)handle, (void)shape, (void)mode, (void)d_x, (void)d_y, (void)stream;
  //> (void)kOne, (void)kZero;
  //> return CUDNN_STATUS_SUCCESS;
  Pooling p;
  CUDNN_TRY(p.describe(*shape, mode));
  CUDNN_TRY(cudnnSetStream(handle, stream));
  return cudnnPoolingForward(handle, p.window.get(), &kOne, p.x.get(), d_x, &kZero, p.y.get(), d_y);
  // END SOLUTION
}

cudnnStatus_t pool2d_backward(cudnnHandle_t handle, const Pool2dShape* shape,
                              cudnnPoolingMode_t mode, const float* d_x, const float* d_y,
                              const float* d_dy, float* d_dx, cudaStream_t stream) {
  // BEGIN SOLUTION(06.5)
  //> // TODO(06.5): cudnnPoolingBackward takes y, dy and x, in this order.
  //> CONVKIT_TODO("06.5");
  //> (void)handle, (void)shape, (void)mode, (void)d_x, (void)d_y, (void)d_dy, (void)d_dx;
  //> (void)stream;
  //> return CUDNN_STATUS_SUCCESS;
  Pooling p;
  CUDNN_TRY(p.describe(*shape, mode));
  CUDNN_TRY(cudnnSetStream(handle, stream));
  return cudnnPoolingBackward(handle, p.window.get(), &kOne, p.y.get(), d_y, p.y.get(), d_dy,
                              p.x.get(), d_x, &kZero, p.x.get(), d_dx);
  // END SOLUTION
}

cudnnStatus_t activation_forward(cudnnHandle_t handle, cudnnActivationMode_t mode, const float* d_x,
                                 float* d_y, int size, cudaStream_t stream) {
  // BEGIN SOLUTION(06.5)
  //> // TODO(06.5): one tensor of 1 x 1 x 1 x size serves for x and for y.
  //> CONVKIT_TODO("06.5");
  //> (void)handle, (void)mode, (void)d_x, (void)d_y, (void)size, (void)stream;
  //> return CUDNN_STATUS_SUCCESS;
  Activation a;
  CUDNN_TRY(a.describe(mode, size));
  CUDNN_TRY(cudnnSetStream(handle, stream));
  return cudnnActivationForward(handle, a.function.get(), &kOne, a.row.get(), d_x, &kZero,
                                a.row.get(), d_y);
  // END SOLUTION
}

cudnnStatus_t activation_backward(cudnnHandle_t handle, cudnnActivationMode_t mode,
                                  const float* d_y, const float* d_dy, float* d_dx, int size,
                                  cudaStream_t stream) {
  // BEGIN SOLUTION(06.5)
  //> // TODO(06.5): y, dy and x, in this order; y stands in for x.
  //> CONVKIT_TODO("06.5");
  //> (void)handle, (void)mode, (void)d_y, (void)d_dy, (void)d_dx, (void)size, (void)stream;
  //> return CUDNN_STATUS_SUCCESS;
  Activation a;
  CUDNN_TRY(a.describe(mode, size));
  CUDNN_TRY(cudnnSetStream(handle, stream));
  return cudnnActivationBackward(handle, a.function.get(), &kOne, a.row.get(), d_y, a.row.get(),
                                 d_dy, a.row.get(), d_y, &kZero, a.row.get(), d_dx);
  // END SOLUTION
}

cudnnStatus_t softmax_forward(cudnnHandle_t handle, const float* d_x, float* d_y, int n, int k,
                              cudaStream_t stream) {
  // BEGIN SOLUTION(06.5)
  //> // TODO(06.5): rows are images, classes are channels. Of the algorithms only one subtracts the
  //> // largest element first.
  //> CONVKIT_TODO("06.5");
  //> (void)handle, (void)d_x, (void)d_y, (void)n, (void)k, (void)stream;
  //> return CUDNN_STATUS_SUCCESS;
  TensorDescriptor rows;
  CUDNN_TRY(describe_tensor(rows, n, k, 1, 1));
  CUDNN_TRY(cudnnSetStream(handle, stream));
  return cudnnSoftmaxForward(handle, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, &kOne,
                             rows.get(), d_x, &kZero, rows.get(), d_y);
  // END SOLUTION
}

cudnnStatus_t softmax_backward(cudnnHandle_t handle, const float* d_y, const float* d_dy,
                               float* d_dx, int n, int k, cudaStream_t stream) {
  // BEGIN SOLUTION(06.5)
  //> // TODO(06.5): with the same algorithm and mode as forward.
  //> CONVKIT_TODO("06.5");
  //> (void)handle, (void)d_y, (void)d_dy, (void)d_dx, (void)n, (void)k, (void)stream;
  //> return CUDNN_STATUS_SUCCESS;
  TensorDescriptor rows;
  CUDNN_TRY(describe_tensor(rows, n, k, 1, 1));
  CUDNN_TRY(cudnnSetStream(handle, stream));
  return cudnnSoftmaxBackward(handle, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, &kOne,
                              rows.get(), d_y, rows.get(), d_dy, &kZero, rows.get(), d_dx);
  // END SOLUTION
}
