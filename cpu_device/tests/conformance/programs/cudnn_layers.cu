// SPDX-License-Identifier: MIT
// Pooling, activations and softmax, forward and backward. Link with -lcudnn.
#include "../check_cudnn.h"

constexpr float kOne = 1, kZero = 0, kTwo = 2;

void pool(cudnnHandle_t dnn, const char* name, cudnnPoolingMode_t mode) {
  const Pooling pooling;
  CHECK(cudnnSetPooling2dDescriptor(pooling, mode, CUDNN_NOT_PROPAGATE_NAN, 2, 2, 1, 0, 2, 1));
  const Tensor x_desc(1, 1, 4, 3), y_desc(1, 1, 3, 2);
  const DeviceArray<float> x{1, 5, 2, -3, 4, 8, 7, 6, 0, 9, -1, 3}, y(6), dy{1, 2, 3, 4, 5, 6};
  const DeviceArray<float> dx{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  CHECK(cudnnPoolingForward(dnn, pooling, &kOne, x_desc, x.data(), &kZero, y_desc, y.data()));
  show(name, y);
  CHECK(cudnnPoolingBackward(dnn, pooling, &kOne, y_desc, y.data(), y_desc, dy.data(), x_desc,
                             x.data(), &kOne, x_desc, dx.data()));
  show("  gradient, added to 1", dx);
}

void activate(cudnnHandle_t dnn, const char* name, cudnnActivationMode_t mode, double coefficient) {
  const Activation activation;
  CHECK(cudnnSetActivationDescriptor(activation, mode, CUDNN_NOT_PROPAGATE_NAN, coefficient));
  const Tensor desc(1, 2, 1, 3);
  const DeviceArray<float> x{-2, -0.5f, 0.25f, 1, 2, 4}, y(6), dy{1, 1, 1, 1, 2, 2}, dx(6);
  CHECK(cudnnActivationForward(dnn, activation, &kOne, desc, x.data(), &kZero, desc, y.data()));
  show(name, y);
  CHECK(cudnnActivationBackward(dnn, activation, &kTwo, desc, y.data(), desc, dy.data(), desc,
                                x.data(), &kZero, desc, dx.data()));
  show("  gradient, twice", dx);
  CHECK(cudnnActivationForward(dnn, activation, &kOne, desc, x.data(), &kZero, desc, x.data()));
  show("  in place", x);
}

void softmax(cudnnHandle_t dnn, const char* name, cudnnSoftmaxAlgorithm_t algorithm,
             cudnnSoftmaxMode_t mode) {
  // Powers of two are in the proportions 1 : 2 : 4 and so on.
  const float step = std::log(2.0f);
  const Tensor desc(2, 3, 1, 2);
  const DeviceArray<float> x{0,        step, step,     step, 2 * step, step,
                             2 * step, 0,    2 * step, 0,    3 * step, 0};
  const DeviceArray<float> y(12), dx(12), dy{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3};
  CHECK(cudnnSoftmaxForward(dnn, algorithm, mode, &kOne, desc, x.data(), &kZero, desc, y.data()));
  show(name, y);
  CHECK(cudnnSoftmaxBackward(dnn, algorithm, mode, &kOne, desc, y.data(), desc, dy.data(), &kZero,
                             desc, dx.data()));
  show("  gradient", dx);
}

int main() {
  const Dnn dnn;
  pool(dnn, "maximum", CUDNN_POOLING_MAX);
  pool(dnn, "maximum, deterministic", CUDNN_POOLING_MAX_DETERMINISTIC);
  pool(dnn, "average with padding", CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING);
  pool(dnn, "average without", CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING);

  activate(dnn, "relu", CUDNN_ACTIVATION_RELU, 0);
  activate(dnn, "clipped at 1.5", CUDNN_ACTIVATION_CLIPPED_RELU, 1.5);
  activate(dnn, "sigmoid", CUDNN_ACTIVATION_SIGMOID, 0);
  activate(dnn, "tanh", CUDNN_ACTIVATION_TANH, 0);
  activate(dnn, "elu of 0.5", CUDNN_ACTIVATION_ELU, 0.5);

  softmax(dnn, "of channels", CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL);
  softmax(dnn, "of channels, fast", CUDNN_SOFTMAX_FAST, CUDNN_SOFTMAX_MODE_CHANNEL);
  softmax(dnn, "of channels, log", CUDNN_SOFTMAX_LOG, CUDNN_SOFTMAX_MODE_CHANNEL);
  softmax(dnn, "of instances", CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_INSTANCE);
  softmax(dnn, "of instances, log", CUDNN_SOFTMAX_LOG, CUDNN_SOFTMAX_MODE_INSTANCE);

  const Tensor three(1, 3, 1, 1);
  const DeviceArray<float> large{1000, 1000, 0}, y(3);
  CHECK(cudnnSoftmaxForward(dnn, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, &kOne, three,
                            large.data(), &kZero, three, y.data()));
  show("accurate where exp overflows", y);
}

/* Prints:
maximum: 5 5 7 8 9 3
  gradient, added to 1: 1 4 1 1 1 5 4 1 1 6 1 7
maximum, deterministic: 5 5 7 8 9 3
  gradient, added to 1: 1 4 1 1 1 5 4 1 1 6 1 7
average with padding: 1.5 1.75 3.5 4.5 2 0.5
  gradient, added to 1: 1.25 1.75 1.5 1.75 2.75 2 1.75 2.75 2 2.25 3.75 2.5
average without: 3 3.5 3.5 4.5 4 1
  gradient, added to 1: 1.5 2.5 2 1.75 2.75 2 1.75 2.75 2 3.5 6.5 4
relu: 0 0 0.25 1 2 4
  gradient, twice: 0 0 2 2 4 4
  in place: 0 0 0.25 1 2 4
clipped at 1.5: 0 0 0.25 1 1.5 1.5
  gradient, twice: 0 0 2 2 0 0
  in place: 0 0 0.25 1 1.5 1.5
sigmoid: 0.119 0.378 0.562 0.731 0.881 0.982
  gradient, twice: 0.21 0.47 0.492 0.393 0.42 0.071
  in place: 0.119 0.378 0.562 0.731 0.881 0.982
tanh: -0.964 -0.462 0.245 0.762 0.964 0.999
  gradient, twice: 0.141 1.573 1.88 0.84 0.283 0.005
  in place: -0.964 -0.462 0.245 0.762 0.964 0.999
elu of 0.5: -0.432 -0.197 0.25 1 2 4
  gradient, twice: 0.135 0.607 2 2 4 4
  in place: -0.432 -0.197 0.25 1 2 4
of channels: 0.143 0.333 0.286 0.333 0.571 0.333 0.25 0.333 0.25 0.333 0.5 0.333
  gradient: 0.122 0 -0.041 0 -0.082 0 0 -0.333 0 -0.333 0 0.667
of channels, fast: 0.143 0.333 0.286 0.333 0.571 0.333 0.25 0.333 0.25 0.333 0.5 0.333
  gradient: 0.122 0 -0.041 0 -0.082 0 0 -0.333 0 -0.333 0 0.667
of channels, log: -1.946 -1.099 -1.253 -1.099 -0.56 -1.099 -1.386 -1.099 -1.386 -1.099 -0.693 -1.099
  gradient: 0.857 0 -0.286 0 -0.571 0 0 -1 0 -1 0 2
of instances: 0.077 0.154 0.154 0.154 0.308 0.154 0.211 0.053 0.211 0.053 0.421 0.053
  gradient: 0.071 -0.012 -0.012 -0.012 -0.024 -0.012 -0.033 -0.008 -0.033 -0.008 -0.066 0.15
of instances, log: -2.565 -1.872 -1.872 -1.872 -1.179 -1.872 -1.558 -2.944 -1.558 -2.944 -0.865 -2.944
  gradient: 0.923 -0.154 -0.154 -0.154 -0.308 -0.154 -0.632 -0.158 -0.632 -0.158 -1.263 2.842
accurate where exp overflows: 0.5 0.5 0
*/
