// SPDX-License-Identifier: MIT
// Halves in memory, sums in float: convolutions and layers. The numbers are whole and small enough
// to be exact; factors are floats. Link with -lcudnn.
#include <cuda_fp16.h>

#include "../check_cudnn.h"

constexpr float kOne = 1, kZero = 0, kTwo = 2;

std::vector<__half> halves(const std::vector<float>& values) {
  std::vector<__half> result;
  for (const float value : values) result.push_back(__float2half(value));
  return result;
}

std::vector<double> numbers_of(const DeviceArray<__half>& array) {
  std::vector<double> result;
  for (const __half value : array.host()) result.push_back(__half2float(value) + 0.0);
  return result;
}

void show(const char* name, const DeviceArray<__half>& array) {
  show(name, numbers_of(array));
}

struct HalfTensor : Tensor {
  HalfTensor(int n, int c, int h, int w, cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW) {
    CHECK(cudnnSetTensor4dDescriptor(*this, format, CUDNN_DATA_HALF, n, c, h, w));
  }
};

// In the order of the tensor: so much depends on every element that one number tells.
void show_sum(const char* name, const DeviceArray<__half>& array) {
  const std::vector<double> values = numbers_of(array);
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += values[i] * (static_cast<double>(i % 7) + 1);
  }
  show(name, values.size(), values[0], values[values.size() / 2], sum);
}

void convolve(cudnnHandle_t dnn) {
  const HalfTensor x_desc(2, 8, 6, 6), y_desc(2, 16, 4, 4);
  const Filter w_desc;
  CHECK(cudnnSetFilter4dDescriptor(w_desc, CUDNN_DATA_HALF, CUDNN_TENSOR_NCHW, 16, 8, 3, 3));
  const Convolution conv(0, 0, 1, 1);
  const DeviceArray<__half> x(halves(numbers(576, 1))), w(halves(numbers(1152, 2))), y(512);
  std::size_t bytes = 0;
  int count = 0;
  const auto with_workspace = [&](const auto& run) {
    const DeviceArray<char> workspace(bytes + 1);
    CHECK(run(workspace.data()));
    CHECK(cudaDeviceSynchronize());
  };
  cudnnConvolutionFwdAlgoPerf_t forward;
  CHECK(cudnnGetConvolutionForwardAlgorithm_v7(dnn, x_desc, w_desc, conv, y_desc, 1, &count,
                                               &forward));
  bytes = forward.memory;
  with_workspace([&](void* workspace) {
    return cudnnConvolutionForward(dnn, &kOne, x_desc, x.data(), w_desc, w.data(), conv,
                                   forward.algo, workspace, bytes, &kZero, y_desc, y.data());
  });
  show_sum("forward", y);
  with_workspace([&](void* workspace) {
    return cudnnConvolutionForward(dnn, &kTwo, x_desc, x.data(), w_desc, w.data(), conv,
                                   forward.algo, workspace, bytes, &kOne, y_desc, y.data());
  });
  show_sum("twice, added", y);

  const DeviceArray<__half> dy(halves(numbers(512, 3))), dx(576), dw(1152), db(16);
  cudnnConvolutionBwdDataAlgoPerf_t data;
  CHECK(cudnnGetConvolutionBackwardDataAlgorithm_v7(dnn, w_desc, y_desc, conv, x_desc, 1, &count,
                                                    &data));
  bytes = data.memory;
  with_workspace([&](void* workspace) {
    return cudnnConvolutionBackwardData(dnn, &kOne, w_desc, w.data(), y_desc, dy.data(), conv,
                                        data.algo, workspace, bytes, &kZero, x_desc, dx.data());
  });
  show_sum("backward data", dx);
  cudnnConvolutionBwdFilterAlgoPerf_t filter;
  CHECK(cudnnGetConvolutionBackwardFilterAlgorithm_v7(dnn, x_desc, y_desc, conv, w_desc, 1, &count,
                                                      &filter));
  bytes = filter.memory;
  with_workspace([&](void* workspace) {
    return cudnnConvolutionBackwardFilter(dnn, &kOne, x_desc, x.data(), y_desc, dy.data(), conv,
                                          filter.algo, workspace, bytes, &kZero, w_desc, dw.data());
  });
  show_sum("backward filter", dw);
  const HalfTensor bias_desc(1, 16, 1, 1);
  CHECK(cudnnConvolutionBackwardBias(dnn, &kOne, y_desc, dy.data(), &kZero, bias_desc, db.data()));
  show("backward bias", db);
}

void layers(cudnnHandle_t dnn) {
  const HalfTensor x_desc(1, 2, 4, 4), pooled_desc(1, 2, 2, 2);
  const DeviceArray<__half> x(halves(numbers(32, 4))), y(8), dy(halves(numbers(8, 5))), dx(32);
  const Pooling pooling;
  for (const cudnnPoolingMode_t mode :
       {CUDNN_POOLING_MAX, CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING}) {
    CHECK(cudnnSetPooling2dDescriptor(pooling, mode, CUDNN_NOT_PROPAGATE_NAN, 2, 2, 0, 0, 2, 2));
    CHECK(
        cudnnPoolingForward(dnn, pooling, &kOne, x_desc, x.data(), &kZero, pooled_desc, y.data()));
    show("pooled", y);
    if (mode == CUDNN_POOLING_MAX) continue;  // which of two maxima gets it, nobody says
    CHECK(cudnnPoolingBackward(dnn, pooling, &kOne, pooled_desc, y.data(), pooled_desc, dy.data(),
                               x_desc, x.data(), &kZero, x_desc, dx.data()));
    show("  gradient", dx);
  }
  const Activation relu;
  CHECK(cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0));
  const DeviceArray<__half> active(32), above(halves(numbers(32, 6)));
  CHECK(cudnnActivationForward(dnn, relu, &kTwo, x_desc, x.data(), &kZero, x_desc, active.data()));
  show("relu, twice", active);
  CHECK(cudnnActivationBackward(dnn, relu, &kOne, x_desc, active.data(), x_desc, above.data(),
                                x_desc, x.data(), &kZero, x_desc, dx.data()));
  show("  gradient", dx);

  const HalfTensor bias_desc(1, 2, 1, 1), last_desc(1, 2, 4, 4, CUDNN_TENSOR_NHWC);
  const DeviceArray<__half> bias(halves({10, -10})), last(32);
  CHECK(cudnnAddTensor(dnn, &kOne, bias_desc, bias.data(), &kOne, x_desc, active.data()));
  show("with bias", active);
  CHECK(cudnnTransformTensor(dnn, &kOne, x_desc, active.data(), &kZero, last_desc, last.data()));
  show("channels last", last);
  // 2049 lies between two halves; the even one is taken.
  const HalfTensor one_desc(1, 1, 1, 1);
  const DeviceArray<__half> sum(halves({2048})), single(halves({1}));
  CHECK(cudnnAddTensor(dnn, &kOne, one_desc, single.data(), &kOne, one_desc, sum.data()));
  show("rounded", sum);
}

int main() {
  const Dnn dnn;
  convolve(dnn);
  layers(dnn);
}

/* Prints:
forward: 512 68 -15 1825
twice, added: 512 204 -45 5475
backward data: 576 23 -10 10692
backward filter: 1152 34 -92 938
backward bias: 6 -41 6 7 -7 -17 8 25 -23 -5 2 44 -18 -12 -9 -29
pooled: 2 4 3 2 4 1 4 1
pooled: -1 0 2 0.25 1.25 0.5 2.75 -1
  gradient: -1 -1 0.75 0.75 -1 -1 0.75 0.75 -1 -1 1 1 -1 -1 1 1 0.5 0.5 -1 -1 0.5 0.5 -1 -1 1 1 0.75 0.75 1 1 0.75 0.75
relu, twice: 0 0 8 0 4 0 0 0 0 6 4 0 6 6 2 4 4 0 0 2 8 2 2 0 6 8 0 0 4 4 0 2
  gradient: 0 0 4 0 -4 0 0 0 0 0 3 0 3 -4 -3 4 -3 0 0 1 3 1 3 0 1 -2 0 0 0 -2 0 2
with bias: 10 10 18 10 14 10 10 10 10 16 14 10 16 16 12 14 -6 -10 -10 -8 -2 -8 -8 -10 -4 -2 -10 -10 -6 -6 -10 -8
channels last: 10 -6 10 -10 18 -10 10 -8 14 -2 10 -8 10 -8 10 -10 10 -4 16 -2 14 -10 10 -10 16 -6 16 -6 12 -10 14 -8
rounded: 2048
*/
