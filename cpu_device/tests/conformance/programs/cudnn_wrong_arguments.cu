// SPDX-License-Identifier: MIT
// Statuses for arguments that do not fit each other. Link with -lcudnn.
#include "../check_cudnn.h"

constexpr cudnnConvolutionFwdAlgo_t kImplicit = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM;

void convolutions(cudnnHandle_t dnn) {
  const Tensor x(1, 2, 6, 6), y(1, 3, 4, 4), other(1, 3, 4, 5), doubles;
  CHECK(cudnnSetTensor4dDescriptor(doubles, CUDNN_TENSOR_NCHW, CUDNN_DATA_DOUBLE, 1, 3, 4, 4));
  const Filter w(3, 2, 3, 3), deeper(3, 3, 3, 3);
  const Convolution conv(0, 0, 1, 1);
  const DeviceArray<float> d_x(72), d_w(81), d_y(96);
  const float one = 1, zero = 0;
  const auto forward = [&](const char* name, cudnnHandle_t handle, const void* alpha,
                           cudnnTensorDescriptor_t from, const void* data,
                           cudnnFilterDescriptor_t filter, cudnnTensorDescriptor_t to,
                           cudnnConvolutionFwdAlgo_t algorithm, size_t bytes) {
    show_status(name, cudnnConvolutionForward(handle, alpha, from, data, filter, d_w.data(), conv,
                                              algorithm, nullptr, bytes, &zero, to, d_y.data()));
  };
  forward("right", dnn, &one, x, d_x.data(), w, y, kImplicit, 0);
  forward("no handle", nullptr, &one, x, d_x.data(), w, y, kImplicit, 0);
  forward("no alpha", dnn, nullptr, x, d_x.data(), w, y, kImplicit, 0);
  forward("no descriptor", dnn, &one, nullptr, d_x.data(), w, y, kImplicit, 0);
  forward("no data", dnn, &one, x, nullptr, w, y, kImplicit, 0);
  forward("other channels", dnn, &one, x, d_x.data(), deeper, y, kImplicit, 0);
  forward("other width", dnn, &one, x, d_x.data(), w, other, kImplicit, 0);
  forward("other type", dnn, &one, x, d_x.data(), w, doubles, kImplicit, 0);
  forward("an algorithm that is none", dnn, &one, x, d_x.data(), w, y,
          CUDNN_CONVOLUTION_FWD_ALGO_DIRECT, 0);

  const Tensor bias(1, 3, 1, 1), wrong(1, 2, 1, 1);
  show_status("bias",
              cudnnConvolutionBackwardBias(dnn, &one, y, d_y.data(), &zero, bias, d_w.data()));
  show_status("bias of other channels",
              cudnnConvolutionBackwardBias(dnn, &one, y, d_y.data(), &zero, wrong, d_w.data()));
}

void layers(cudnnHandle_t dnn) {
  const Tensor x(1, 2, 4, 4), pooled(1, 2, 2, 2), wider(1, 2, 4, 5), two(1, 2, 1, 1);
  const Pooling pooling;
  CHECK(cudnnSetPooling2dDescriptor(pooling, CUDNN_POOLING_MAX, CUDNN_NOT_PROPAGATE_NAN, 2, 2, 0, 0,
                                    2, 2));
  const Activation relu;
  CHECK(cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0));
  const DeviceArray<float> a(64), b(64);
  const float one = 1, zero = 0;
  show_status("pooling",
              cudnnPoolingForward(dnn, pooling, &one, x, a.data(), &zero, pooled, b.data()));
  show_status("activation",
              cudnnActivationForward(dnn, relu, &one, x, a.data(), &zero, x, b.data()));
  show_status("activation to another size",
              cudnnActivationForward(dnn, relu, &one, x, a.data(), &zero, wider, b.data()));
  show_status("sum", cudnnAddTensor(dnn, &one, two, a.data(), &one, x, b.data()));
  show_status("sum of another size",
              cudnnAddTensor(dnn, &one, pooled, a.data(), &one, x, b.data()));
  show_status("softmax to another size",
              cudnnSoftmaxForward(dnn, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, &one, x,
                                  a.data(), &zero, wider, b.data()));
  show_status("scaled by nothing", cudnnScaleTensor(dnn, x, a.data(), nullptr));
}

int main() {
  const Dnn dnn;
  convolutions(dnn);
  layers(dnn);
  show_status("stream of no handle", cudnnSetStream(nullptr, nullptr));
  CHECK(cudaDeviceSynchronize());
}

/* Prints:
right: SUCCESS
no handle: BAD_PARAM
no alpha: BAD_PARAM
no descriptor: BAD_PARAM
no data: BAD_PARAM
other channels: BAD_PARAM
other width: BAD_PARAM
other type: NOT_SUPPORTED
an algorithm that is none: NOT_SUPPORTED
bias: SUCCESS
bias of other channels: BAD_PARAM
pooling: SUCCESS
activation: SUCCESS
activation to another size: BAD_PARAM
sum: SUCCESS
sum of another size: BAD_PARAM
softmax to another size: BAD_PARAM
scaled by nothing: BAD_PARAM
stream of no handle: BAD_PARAM
*/
