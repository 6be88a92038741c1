// SPDX-License-Identifier: MIT
// cuDNN: other layers, descriptors, handles and wrong arguments. Link with -lcudnn.
#include "../check_cudnn.h"
#include "../parts.h"

// Batch normalisation in training, inference and backward, of channels and of activations.
namespace batch_norm {

constexpr double kEpsilon = 0.25;

void normalise(cudnnHandle_t dnn, cudnnBatchNormMode_t mode, int height) {
  const Tensor x_desc(2, 2, 2, 1), parameters;
  CHECK(cudnnDeriveBNTensorDescriptor(parameters, x_desc, mode));
  const bool spatial = mode != CUDNN_BATCHNORM_PER_ACTIVATION;
  const std::size_t count = spatial ? 2 : 4;
  const DeviceArray<float> x{1, 3, -2, 0, 5, 4, 2, 8}, dy{1, -1, 2, 0, 3, 1, -2, 4}, y(8), dx(8);
  const std::vector<float> scales{2, -1, 0.5f, 3}, biases{1, 10, 0, -2};
  const std::vector<float> first_scales(scales.begin(), scales.begin() + static_cast<long>(count));
  const std::vector<float> first_biases(biases.begin(), biases.begin() + static_cast<long>(count));
  const DeviceArray<float> scale(first_scales), bias(first_biases), mean(count), variance(count);
  const DeviceArray<float> saved_mean(count), saved_inverse(count), dscale(count), dbias(count);
  const float one = 1, zero = 0;
  std::printf("height of the parameters: %d\n", height);
  for (const double factor : {1.0, 0.25}) {
    CHECK(cudnnBatchNormalizationForwardTraining(dnn, mode, &one, &zero, x_desc, x.data(), x_desc,
                                                 y.data(), parameters, scale.data(), bias.data(),
                                                 factor, mean.data(), variance.data(), kEpsilon,
                                                 saved_mean.data(), saved_inverse.data()));
  }
  show("training", y);
  show("mean", mean);
  show("variance", variance);
  show("saved mean", saved_mean);
  show("saved inverse", saved_inverse);
  CHECK(cudnnBatchNormalizationForwardInference(dnn, mode, &one, &one, x_desc, x.data(), x_desc,
                                                y.data(), parameters, scale.data(), bias.data(),
                                                mean.data(), variance.data(), kEpsilon));
  show("inference, added", y);
  CHECK(cudnnBatchNormalizationBackward(dnn, mode, &one, &zero, &one, &zero, x_desc, x.data(),
                                        x_desc, dy.data(), x_desc, dx.data(), parameters,
                                        scale.data(), dscale.data(), dbias.data(), kEpsilon,
                                        saved_mean.data(), saved_inverse.data()));
  show("dx", dx);
  show("dscale", dscale);
  show("dbias", dbias);
  const DeviceArray<float> again(8);
  CHECK(cudnnBatchNormalizationBackward(
      dnn, mode, &one, &zero, &one, &one, x_desc, x.data(), x_desc, dy.data(), x_desc, again.data(),
      parameters, scale.data(), dscale.data(), dbias.data(), kEpsilon, nullptr, nullptr));
  show("without what was saved", again);
  show("dbias, added", dbias);
}

PART(batch_norm) {
  const Dnn dnn;
  normalise(dnn, CUDNN_BATCHNORM_SPATIAL, 1);
  normalise(dnn, CUDNN_BATCHNORM_PER_ACTIVATION, 2);
  const Tensor x(2, 2, 2, 1), wrong(1, 3, 1, 1);
  const DeviceArray<float> a(8), b(8);
  const float one = 1, zero = 0;
  show_status("parameters of another size",
              cudnnBatchNormalizationForwardInference(dnn, CUDNN_BATCHNORM_SPATIAL, &one, &zero, x,
                                                      a.data(), x, b.data(), wrong, a.data(),
                                                      a.data(), a.data(), a.data(), kEpsilon));
}

}  // namespace batch_norm

/* Prints:
height of the parameters: 1
training: -1.882 0.68 11.06 10.53 3.242 1.961 10 8.411
mean: 3.25 2
variance: 2.917 18.667
saved mean: 3.25 2
saved inverse: 0.641 0.265
inference, added: -3.411 1.399 21.979 20.99 6.209 3.804 20 17.031
dx: 1.182 -2.431 -0.562 0.116 1.642 -0.394 0.795 -0.349
dscale: 2.562 4.239
dbias: 4 4
without what was saved: 1.182 -2.431 -0.562 0.116 1.642 -0.394 0.795 -0.349
dbias, added: 8 8
height of the parameters: 2
training: -0.94 10.707 -0.485 -4.977 2.94 9.293 0.485 0.977
mean: 3 3.5 0 4
variance: 8 0.5 8 32
saved mean: 3 3.5 0 4
saved inverse: 0.485 1.414 0.485 0.248
inference, added: -1.333 21.284 -0.833 -9.09 5.333 18.716 0.833 1.09
dx: -0.057 0.707 0.029 -0.023 0.057 -0.707 -0.029 0.023
dscale: 1.94 1.414 -3.881 3.969
dbias: 4 0 0 4
without what was saved: -0.057 0.707 0.029 -0.023 0.057 -0.707 -0.029 0.023
dbias, added: 8 0 0 8
parameters of another size: BAD_PARAM
*/

// Descriptors, what they hold, and the sizes that come of them. Nothing is computed.
namespace descriptors {

void show_tensor(const char* name, cudnnTensorDescriptor_t tensor) {
  cudnnDataType_t type;
  int dims = 0, size[8] = {}, stride[8] = {};
  size_t bytes = 0;
  CHECK(cudnnGetTensorNdDescriptor(tensor, 8, &type, &dims, size, stride));
  CHECK(cudnnGetTensorSizeInBytes(tensor, &bytes));
  std::printf("%s: type %d,", name, type);
  for (int i = 0; i < dims; ++i) std::printf(" %d/%d", size[i], stride[i]);
  std::printf(", %zu bytes\n", bytes);
}

void tensors() {
  const Tensor tensor;
  show_tensor("new", tensor);
  CHECK(cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 2, 3, 4, 5));
  show_tensor("NCHW", tensor);
  CHECK(cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NHWC, CUDNN_DATA_HALF, 2, 3, 4, 5));
  show_tensor("NHWC", tensor);
  CHECK(cudnnSetTensor4dDescriptorEx(tensor, CUDNN_DATA_DOUBLE, 2, 3, 4, 5, 100, 20, 6, 1));
  show_tensor("strides", tensor);
  const int size[] = {2, 3, 4, 5, 6}, stride[] = {500, 150, 30, 6, 1};
  CHECK(cudnnSetTensorNdDescriptor(tensor, CUDNN_DATA_FLOAT, 5, size, stride));
  show_tensor("five dimensions", tensor);
  cudnnDataType_t type;
  int n, c, h, w, ns, cs, hs, ws;
  CHECK(cudnnGetTensor4dDescriptor(tensor, &type, &n, &c, &h, &w, &ns, &cs, &hs, &ws));
  show("the first four", n, c, h, w, ns, cs, hs, ws);
  for (const int dims : {3, 4, 5}) {
    CHECK(cudnnSetTensorNdDescriptorEx(tensor, CUDNN_TENSOR_NHWC, CUDNN_DATA_FLOAT, dims, size));
    show_tensor("channels last", tensor);
  }
}

void filters() {
  const Filter filter;
  CHECK(cudnnSetFilter4dDescriptor(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NHWC, 8, 3, 5, 7));
  cudnnDataType_t type;
  cudnnTensorFormat_t format;
  int k, c, h, w, dims, size[8] = {};
  size_t bytes = 0;
  CHECK(cudnnGetFilter4dDescriptor(filter, &type, &format, &k, &c, &h, &w));
  CHECK(cudnnGetFilterSizeInBytes(filter, &bytes));
  show("filter", static_cast<int>(type), static_cast<int>(format), k, c, h, w, bytes);
  const int five[] = {2, 3, 4, 5, 6};
  CHECK(cudnnSetFilterNdDescriptor(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 5, five));
  CHECK(cudnnGetFilterNdDescriptor(filter, 8, &type, &format, &dims, size));
  show("filter", dims, size[0], size[1], size[2], size[3], size[4]);
}

void convolutions() {
  const Convolution convolution;
  int groups = 0;
  cudnnMathType_t math;
  CHECK(cudnnGetConvolutionGroupCount(convolution, &groups));
  CHECK(cudnnGetConvolutionMathType(convolution, &math));
  show("groups and math at first", groups, static_cast<int>(math));
  CHECK(cudnnSetConvolution2dDescriptor(convolution, 1, 2, 2, 1, 1, 2, CUDNN_CROSS_CORRELATION,
                                        CUDNN_DATA_FLOAT));
  int pad_h, pad_w, stride_h, stride_w, dilation_h, dilation_w;
  cudnnConvolutionMode_t mode;
  cudnnDataType_t type;
  CHECK(cudnnGetConvolution2dDescriptor(convolution, &pad_h, &pad_w, &stride_h, &stride_w,
                                        &dilation_h, &dilation_w, &mode, &type));
  show("2d", pad_h, pad_w, stride_h, stride_w, dilation_h, dilation_w, static_cast<int>(mode),
       static_cast<int>(type));
  int dims = 0, pad[6] = {}, stride[6] = {}, dilation[6] = {};
  CHECK(
      cudnnGetConvolutionNdDescriptor(convolution, 1, &dims, pad, stride, dilation, &mode, &type));
  show("Nd, one asked for", dims, pad[0], pad[1]);

  const Tensor x(2, 3, 9, 10);
  const Filter w(8, 3, 3, 3);
  int n, c, h, wide, out[5] = {};
  CHECK(cudnnGetConvolution2dForwardOutputDim(convolution, x, w, &n, &c, &h, &wide));
  show("output", n, c, h, wide);
  CHECK(cudnnGetConvolutionNdForwardOutputDim(convolution, x, w, 4, out));
  show("output", out[0], out[1], out[2], out[3]);
  CHECK(cudnnSetConvolutionGroupCount(convolution, 2));
  const Tensor twice(2, 6, 9, 10);
  CHECK(cudnnGetConvolution2dForwardOutputDim(convolution, twice, w, &n, &c, &h, &wide));
  show("output of two groups", n, c, h, wide);
}

void poolings_and_activations() {
  const Pooling pooling;
  CHECK(cudnnSetPooling2dDescriptor(pooling, CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING,
                                    CUDNN_PROPAGATE_NAN, 3, 2, 1, 0, 2, 3));
  cudnnPoolingMode_t mode;
  cudnnNanPropagation_t nan;
  int window_h, window_w, pad_h, pad_w, stride_h, stride_w;
  CHECK(cudnnGetPooling2dDescriptor(pooling, &mode, &nan, &window_h, &window_w, &pad_h, &pad_w,
                                    &stride_h, &stride_w));
  show("pooling", static_cast<int>(mode), static_cast<int>(nan), window_h, window_w, pad_h, pad_w,
       stride_h, stride_w);
  const Tensor x(2, 3, 10, 9);
  int n, c, h, w, out[4] = {};
  CHECK(cudnnGetPooling2dForwardOutputDim(pooling, x, &n, &c, &h, &w));
  CHECK(cudnnGetPoolingNdForwardOutputDim(pooling, x, 4, out));
  show("pooled", n, c, h, w, out[0], out[1], out[2], out[3]);

  const Activation activation;
  CHECK(cudnnSetActivationDescriptor(activation, CUDNN_ACTIVATION_CLIPPED_RELU,
                                     CUDNN_NOT_PROPAGATE_NAN, 6.5));
  cudnnActivationMode_t kind;
  double coefficient = 0;
  CHECK(cudnnGetActivationDescriptor(activation, &kind, &nan, &coefficient));
  show("activation", static_cast<double>(kind), static_cast<double>(nan), coefficient);
}

void refusals() {
  const Tensor tensor, x(2, 3, 9, 10);
  const int two[] = {1, 1}, size[9] = {2, 3, 4, 5, 1, 1, 1, 1, 1}, zero[2] = {};
  show_status("no images",
              cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 0, 1, 1, 1));
  show_status("no descriptor",
              cudnnSetTensor4dDescriptor(nullptr, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 1, 1));
  show_status("2^31 elements", cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW,
                                                          CUDNN_DATA_FLOAT, 1024, 1024, 1024, 2));
  show_status("stride 0",
              cudnnSetTensor4dDescriptorEx(tensor, CUDNN_DATA_FLOAT, 2, 3, 4, 5, 60, 20, 5, 0));
  show_status("stride 0 of one",
              cudnnSetTensor4dDescriptorEx(tensor, CUDNN_DATA_FLOAT, 1, 1, 1, 1, 0, 0, 0, 0));
  for (const int dims : {1, 2, 8, 9}) {
    std::printf("%d dimensions, ", dims);
    show_status("tensor", cudnnSetTensorNdDescriptor(tensor, CUDNN_DATA_FLOAT, dims, size, size));
  }
  const Filter filter;
  for (const int dims : {2, 3, 8, 9}) {
    std::printf("%d dimensions, ", dims);
    show_status("filter", cudnnSetFilterNdDescriptor(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW,
                                                     dims, size));
  }
  const Convolution convolution;
  const auto set = [&](int pad, int stride, int dilation, cudnnDataType_t type) {
    return cudnnSetConvolution2dDescriptor(convolution, pad, 0, stride, 1, dilation, 1,
                                           CUDNN_CROSS_CORRELATION, type);
  };
  show_status("pad -1", set(-1, 1, 1, CUDNN_DATA_FLOAT));
  show_status("stride 0", set(0, 0, 1, CUDNN_DATA_FLOAT));
  show_status("dilation 0", set(0, 1, 0, CUDNN_DATA_FLOAT));
  show_status("sums of int8", set(0, 1, 1, CUDNN_DATA_INT8));
  show_status("0 groups", cudnnSetConvolutionGroupCount(convolution, 0));
  show_status("stride 0 of Nd",
              cudnnSetConvolutionNdDescriptor(convolution, 2, two, zero, two,
                                              CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
  CHECK(set(0, 1, 1, CUDNN_DATA_FLOAT));
  int n, c, h, w, out[5];
  const auto output = [&](cudnnFilterDescriptor_t with) {
    return cudnnGetConvolution2dForwardOutputDim(convolution, x, with, &n, &c, &h, &w);
  };
  show_status("other channels", output(Filter(8, 4, 3, 3)));
  show_status("a filter as large", output(Filter(8, 3, 9, 10)));
  show_status("a larger filter", output(Filter(8, 3, 10, 10)));
  const Filter good(8, 3, 3, 3);
  show_status("3 of 4", cudnnGetConvolutionNdForwardOutputDim(convolution, x, good, 3, out));
  show_status("5 of 4", cudnnGetConvolutionNdForwardOutputDim(convolution, x, good, 5, out));
  const Pooling pooling;
  const auto pool = [&](int window, int pad, int stride) {
    return cudnnSetPooling2dDescriptor(pooling, CUDNN_POOLING_MAX, CUDNN_PROPAGATE_NAN, window,
                                       window, pad, pad, stride, stride);
  };
  show_status("window 0", pool(0, 0, 1));
  show_status("stride 0", pool(2, 0, 0));
  show_status("pad as large as the window", pool(2, 2, 2));
  CHECK(pool(10, 0, 1));
  show_status("a larger window", cudnnGetPooling2dForwardOutputDim(pooling, x, &n, &c, &h, &w));
  show_status("destroy nothing", cudnnDestroyTensorDescriptor(nullptr));
}

PART(descriptors) {
  tensors();
  filters();
  convolutions();
  poolings_and_activations();
  refusals();
  for (const int status : {0, 1001, 2000, 2001, 3000, 3003, 4000, 4003, 5000, 7}) {
    show(cudnnGetErrorString(static_cast<cudnnStatus_t>(status)), status);
  }
}

}  // namespace descriptors

/* Prints:
new: type 0,, 0 bytes
NCHW: type 0, 2/60 3/20 4/5 5/1, 480 bytes
NHWC: type 2, 2/60 3/1 4/15 5/3, 240 bytes
strides: type 1, 2/100 3/20 4/6 5/1, 1304 bytes
five dimensions: type 0, 2/500 3/150 4/30 5/6 6/1, 3680 bytes
the first four: 2 3 4 5 500 150 30 6
channels last: type 0, 2/12 3/1 4/3, 96 bytes
channels last: type 0, 2/60 3/1 4/15 5/3, 480 bytes
channels last: type 0, 2/360 3/1 4/90 5/18 6/3, 2880 bytes
filter: 0 1 8 3 5 7 3360
filter: 5 2 3 4 5 6
groups and math at first: 1 0
2d: 1 2 2 1 1 2 1 0
Nd, one asked for: 2 1 0
output: 2 8 5 10
output: 2 8 5 10
output of two groups: 2 8 5 10
pooling: 2 1 3 2 1 0 2 3
pooled: 2 3 5 3 2 3 5 3
activation: 3 0 6.5
no images: BAD_PARAM
no descriptor: BAD_PARAM
2^31 elements: NOT_SUPPORTED
stride 0: BAD_PARAM
stride 0 of one: SUCCESS
1 dimensions, tensor: BAD_PARAM
2 dimensions, tensor: SUCCESS
8 dimensions, tensor: SUCCESS
9 dimensions, tensor: NOT_SUPPORTED
2 dimensions, filter: BAD_PARAM
3 dimensions, filter: SUCCESS
8 dimensions, filter: SUCCESS
9 dimensions, filter: NOT_SUPPORTED
pad -1: BAD_PARAM
stride 0: BAD_PARAM
dilation 0: BAD_PARAM
sums of int8: BAD_PARAM
0 groups: BAD_PARAM
stride 0 of Nd: BAD_PARAM
other channels: BAD_PARAM
a filter as large: SUCCESS
a larger filter: BAD_PARAM
3 of 4: SUCCESS
5 of 4: BAD_PARAM
window 0: BAD_PARAM
stride 0: BAD_PARAM
pad as large as the window: SUCCESS
a larger window: BAD_PARAM
destroy nothing: SUCCESS
CUDNN_STATUS_SUCCESS: 0
CUDNN_STATUS_NOT_INITIALIZED: 1001
CUDNN_STATUS_BAD_PARAM: 2000
CUDNN_STATUS_INVALID_VALUE: 2001
CUDNN_STATUS_NOT_SUPPORTED: 3000
CUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE: 3003
CUDNN_STATUS_INTERNAL_ERROR: 4000
CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED: 4003
CUDNN_STATUS_EXECUTION_FAILED: 5000
CUDNN_UNKNOWN_STATUS: 7
*/

// Dropout. Which elements stay is each device's affair; how many, how they are scaled, and that the
// gradient goes the same way, is not.
namespace dropout {

using Dropout =
    Owner<cudnnDropoutDescriptor_t, cudnnCreateDropoutDescriptor, cudnnDestroyDropoutDescriptor>;

PART(dropout) {
  const Dnn dnn;
  const Dropout dropout;
  constexpr int kCount = 4 * 4 * 32 * 32;
  const Tensor desc(4, 4, 32, 32);
  std::size_t state_bytes = 0, reserve_bytes = 0;
  CHECK(cudnnDropoutGetStatesSize(dnn, &state_bytes));
  CHECK(cudnnDropoutGetReserveSpaceSize(desc, &reserve_bytes));
  expect("it needs both", state_bytes > 0 && reserve_bytes > 0);
  const DeviceArray<char> states(state_bytes), reserve(reserve_bytes);
  const DeviceArray<float> x(std::vector<float>(kCount, 3)), y(kCount), dx(kCount);
  constexpr float kProbability = 0.25f;
  constexpr unsigned long long kSeed = 2026;
  CHECK(cudnnSetDropoutDescriptor(dropout, dnn, kProbability, states.data(), state_bytes, kSeed));
  const auto forward = [&] {
    CHECK(cudnnDropoutForward(dnn, dropout, desc, x.data(), desc, y.data(), reserve.data(),
                              reserve_bytes));
    return y.host();
  };

  const std::vector<float> first = forward();
  int dropped = 0;
  bool scaled = true;
  for (const float value : first) {
    if (value == 0) {
      ++dropped;
    } else {
      scaled = scaled && value == 4;  // 3 / 0.75
    }
  }
  expect("a quarter is dropped", dropped > kCount / 4 - 400 && dropped < kCount / 4 + 400);
  expect("the rest is scaled", scaled);
  CHECK(cudnnDropoutBackward(dnn, dropout, desc, x.data(), desc, dx.data(), reserve.data(),
                             reserve_bytes));
  expect("the gradient goes the same way", dx.host() == first);

  const std::vector<float> second = forward();
  expect("another call drops others", second != first);
  CHECK(cudnnSetDropoutDescriptor(dropout, dnn, kProbability, states.data(), state_bytes, kSeed));
  expect("the same seed, the same again", forward() == first);
  CHECK(
      cudnnRestoreDropoutDescriptor(dropout, dnn, kProbability, states.data(), state_bytes, kSeed));
  expect("restored, it goes on", forward() == second);

  float probability = 0;
  void* where = nullptr;
  unsigned long long seed = 0;
  CHECK(cudnnGetDropoutDescriptor(dropout, dnn, &probability, &where, &seed));
  expect("the descriptor", probability == kProbability && where == states.data() && seed == kSeed);
  CHECK(cudnnSetDropoutDescriptor(dropout, dnn, 0, states.data(), state_bytes, kSeed));
  expect("with probability 0 all stays", forward() == x.host());
}

}  // namespace dropout

/* Prints:
it needs both: ok
a quarter is dropped: ok
the rest is scaled: ok
the gradient goes the same way: ok
another call drops others: ok
the same seed, the same again: ok
restored, it goes on: ok
the descriptor: ok
with probability 0 all stays: ok
*/

// Handles, streams and versions.
namespace handle {

PART(handle) {
  const Dnn dnn, other;
  int major = 0;
  CHECK(cudnnGetProperty(MAJOR_VERSION, &major));
  expect("version", major >= 9 && cudnnGetVersion() / 10000 == static_cast<size_t>(major));
  expect("cudart", cudnnGetCudartVersion() >= 12000);
  cudaStream_t stream = reinterpret_cast<cudaStream_t>(1), made = nullptr;
  CHECK(cudnnGetStream(dnn, &stream));
  expect("the default stream at first", stream == nullptr);
  CHECK(cudaStreamCreate(&made));
  CHECK(cudnnSetStream(dnn, made));
  CHECK(cudnnGetStream(dnn, &stream));
  expect("its own stream", stream == made);
  CHECK(cudnnGetStream(other, &stream));
  expect("not the other's", stream == nullptr);

  // Factors are read at the call; calls run in the order of the stream.
  const Tensor tensor(1, 1, 1, 4);
  const DeviceArray<float> x(4);
  float value = 3;
  CHECK(cudnnSetTensor(dnn, tensor, x.data(), &value));
  value = 5;
  CHECK(cudnnScaleTensor(dnn, tensor, x.data(), &value));
  value = 100;
  CHECK(cudaStreamSynchronize(made));
  show("in order", x);
  CHECK(cudnnSetStream(dnn, nullptr));
  CHECK(cudaStreamDestroy(made));
}

}  // namespace handle

/* Prints:
version: ok
cudart: ok
the default stream at first: ok
its own stream: ok
not the other's: ok
in order: 15 15 15 15
*/

// Pooling, activations and softmax, forward and backward.
namespace layers {

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

PART(layers) {
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

}  // namespace layers

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

// Convolutions of channels-last pictures, of strided ones, and of volumes: each is computed once
// more as plain pictures.
namespace layouts {

constexpr float kOne = 1, kZero = 0;
constexpr auto kForward = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;

// Runs a convolution with the workspace that it needs.
std::vector<float> convolve(cudnnHandle_t dnn, cudnnTensorDescriptor_t x,
                            const std::vector<float>& image, cudnnFilterDescriptor_t w,
                            const std::vector<float>& filter, cudnnConvolutionDescriptor_t conv,
                            cudnnTensorDescriptor_t y) {
  size_t bytes = 0, result_bytes = 0;
  CHECK(cudnnGetTensorSizeInBytes(y, &result_bytes));
  CHECK(cudnnGetConvolutionForwardWorkspaceSize(dnn, x, w, conv, y, kForward, &bytes));
  const DeviceArray<float> d_x(image), d_w(filter), result(result_bytes / sizeof(float));
  const DeviceArray<char> workspace(bytes + 1);
  CHECK(cudnnConvolutionForward(dnn, &kOne, x, d_x.data(), w, d_w.data(), conv, kForward,
                                workspace.data(), bytes, &kZero, y, result.data()));
  return result.host();
}

// From [outer, channels, rest] to [outer, rest, channels].
std::vector<float> channels_last(const std::vector<float>& values, std::size_t channels,
                                 std::size_t rest) {
  std::vector<float> result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t place = i % rest, channel = i / rest % channels, outer = i / rest / channels;
    result[(outer * rest + place) * channels + channel] = values[i];
  }
  return result;
}

PART(layouts) {
  const Dnn dnn;
  const std::vector<float> image = numbers(2 * 4 * 5 * 6, 1), filter = numbers(8 * 4 * 3 * 3, 2);
  const Convolution conv(1, 0, 1, 2);
  const Tensor x(2, 4, 5, 6), y(2, 8, 5, 2);
  const Filter w(8, 4, 3, 3);
  const std::vector<float> plain = convolve(dnn, x, image, w, filter, conv, y);
  const Tensor last_x(2, 4, 5, 6, CUDNN_TENSOR_NHWC), last_y(2, 8, 5, 2, CUDNN_TENSOR_NHWC);
  const Filter last_w(8, 4, 3, 3, CUDNN_TENSOR_NHWC);
  const std::vector<float> last = convolve(dnn, last_x, channels_last(image, 4, 30), last_w,
                                           channels_last(filter, 4, 9), conv, last_y);
  expect("channels last", last == channels_last(plain, 8, 10));

  // Each row of the picture with two numbers behind it that belong to nobody.
  const Tensor padded;
  CHECK(cudnnSetTensor4dDescriptorEx(padded, CUDNN_DATA_FLOAT, 2, 4, 5, 6, 160, 40, 8, 1));
  std::vector<float> rows(2 * 4 * 5 * 8, 1000);
  for (std::size_t i = 0; i < image.size(); ++i) rows[i / 6 * 8 + i % 6] = image[i];
  expect("rows with gaps", convolve(dnn, padded, rows, w, filter, conv, y) == plain);

  // A volume whose filter has one layer is a picture for each layer.
  const int x_size[] = {1, 1, 3, 5, 6}, w_size[] = {2, 1, 1, 3, 3}, y_size[] = {1, 2, 3, 5, 2};
  const int pad[] = {0, 1, 0}, stride[] = {1, 1, 2}, dilation[] = {1, 1, 1};
  const Tensor volume, result;
  const Filter layer;
  const Convolution deep;
  CHECK(cudnnSetTensorNdDescriptorEx(volume, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 5, x_size));
  CHECK(cudnnSetTensorNdDescriptorEx(result, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 5, y_size));
  CHECK(cudnnSetFilterNdDescriptor(layer, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 5, w_size));
  CHECK(cudnnSetConvolutionNdDescriptor(deep, 3, pad, stride, dilation, CUDNN_CROSS_CORRELATION,
                                        CUDNN_DATA_FLOAT));
  CHECK(cudnnSetConvolutionMathType(deep, CUDNN_FMA_MATH));
  const std::vector<float> layers(image.begin(), image.begin() + 90);
  const std::vector<float> filters(filter.begin(), filter.begin() + 18);
  const std::vector<float> in_depth = convolve(dnn, volume, layers, layer, filters, deep, result);
  const Tensor one_x(3, 1, 5, 6), one_y(3, 2, 5, 2);
  const Filter one_w(2, 1, 3, 3);
  const std::vector<float> pictures = convolve(dnn, one_x, layers, one_w, filters, conv, one_y);
  bool same = true;
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const std::size_t place = i % 10, channel = i / 10 % 2, depth = i / 20;
    same = same && pictures[i] == in_depth[(channel * 3 + depth) * 10 + place];
  }
  expect("a volume", same);
}

}  // namespace layouts

/* Prints:
channels last: ok
rows with gaps: ok
a volume: ok
*/

// Operations on two tensors, and copies between layouts.
namespace op_tensor {

PART(op_tensor) {
  const Dnn dnn;
  const Owner<cudnnOpTensorDescriptor_t, cudnnCreateOpTensorDescriptor,
              cudnnDestroyOpTensorDescriptor>
      op;
  const Tensor desc(1, 2, 1, 3), channels(1, 2, 1, 1), last(1, 2, 1, 3, CUDNN_TENSOR_NHWC);
  const DeviceArray<float> a{1, 4, 9, 16, 25, 36}, b{10, -10}, c(6), d{6, 5, 4, 3, 2, 1};
  const float one = 1, two = 2, zero = 0;
  const auto run = [&](const char* name, cudnnOpTensorOp_t operation) {
    CHECK(cudnnSetOpTensorDescriptor(op, operation, CUDNN_DATA_FLOAT, CUDNN_NOT_PROPAGATE_NAN));
    CHECK(cudnnOpTensor(dnn, op, &one, desc, a.data(), &two, channels, b.data(), &zero, desc,
                        c.data()));
    show(name, c);
  };
  run("sum", CUDNN_OP_TENSOR_ADD);
  run("product", CUDNN_OP_TENSOR_MUL);
  run("minimum", CUDNN_OP_TENSOR_MIN);
  run("maximum", CUDNN_OP_TENSOR_MAX);
  run("square root", CUDNN_OP_TENSOR_SQRT);
  CHECK(cudnnSetOpTensorDescriptor(op, CUDNN_OP_TENSOR_MUL, CUDNN_DATA_FLOAT, CUDNN_PROPAGATE_NAN));
  CHECK(cudnnOpTensor(dnn, op, &one, desc, a.data(), &one, desc, d.data(), &one, desc, c.data()));
  show("product, added", c);
  cudnnOpTensorOp_t operation;
  cudnnDataType_t type;
  cudnnNanPropagation_t nan;
  CHECK(cudnnGetOpTensorDescriptor(op, &operation, &type, &nan));
  show("descriptor", static_cast<int>(operation), static_cast<int>(type), static_cast<int>(nan));

  CHECK(cudnnTransformTensor(dnn, &two, desc, a.data(), &zero, last, c.data()));
  show("channels last", c);
  CHECK(cudnnTransformTensor(dnn, &one, last, c.data(), &one, desc, d.data()));
  show("and back, added", d);
}

}  // namespace op_tensor

/* Prints:
sum: 21 24 29 -4 5 16
product: 20 80 180 -320 -500 -720
minimum: 1 4 9 -20 -20 -20
maximum: 20 20 20 16 25 36
square root: 1 2 3 4 5 6
product, added: 7 22 39 52 55 42
descriptor: 1 0 1
channels last: 2 32 8 50 18 72
and back, added: 8 13 22 35 52 73
*/

// Reductions of tensors along the axes where the result has size 1.
namespace reduce {

using Reduction = Owner<cudnnReduceTensorDescriptor_t, cudnnCreateReduceTensorDescriptor,
                        cudnnDestroyReduceTensorDescriptor>;

struct Scene {
  cudnnHandle_t dnn;
  const Reduction reduction{};

  void set(cudnnReduceTensorOp_t op) const {
    CHECK(cudnnSetReduceTensorDescriptor(reduction, op, CUDNN_DATA_FLOAT, CUDNN_NOT_PROPAGATE_NAN,
                                         CUDNN_REDUCE_TENSOR_NO_INDICES, CUDNN_32BIT_INDICES));
  }
  void reduce(float alpha, cudnnTensorDescriptor_t a, const float* from, float beta,
              cudnnTensorDescriptor_t c, float* to) const {
    std::size_t bytes = 0;
    CHECK(cudnnGetReductionWorkspaceSize(dnn, reduction, a, c, &bytes));
    const DeviceArray<char> workspace(bytes + 1);
    CHECK(cudnnReduceTensor(dnn, reduction, nullptr, 0, workspace.data(), bytes, &alpha, a, from,
                            &beta, c, to));
    CHECK(cudaDeviceSynchronize());
  }
};

PART(reduce) {
  const Dnn dnn;
  const Scene scene{dnn};
  const Tensor a(2, 3, 2, 2), channels(1, 3, 1, 1), images(2, 1, 1, 1), all(1, 1, 1, 1);
  const DeviceArray<float> values{3, 4, 0, 0, 1, 2,  4, -2, 0, -5, 0, 12,
                                  0, 0, 0, 0, 1, -1, 1, 1,  0, 0,  0, 0};
  const struct {
    const char* name;
    cudnnReduceTensorOp_t op;
  } kOps[] = {{"sum", CUDNN_REDUCE_TENSOR_ADD},
              {"product", CUDNN_REDUCE_TENSOR_MUL},
              {"least", CUDNN_REDUCE_TENSOR_MIN},
              {"most", CUDNN_REDUCE_TENSOR_MAX},
              {"largest", CUDNN_REDUCE_TENSOR_AMAX},
              {"mean", CUDNN_REDUCE_TENSOR_AVG},
              {"sum of sizes", CUDNN_REDUCE_TENSOR_NORM1},
              {"length", CUDNN_REDUCE_TENSOR_NORM2},
              {"product without zeros", CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS}};
  for (const auto& [name, op] : kOps) {
    scene.set(op);
    const DeviceArray<float> of_channels(3), of_images(2), of_all(1);
    scene.reduce(1, a, values.data(), 0, channels, of_channels.data());
    show(name, of_channels);
    scene.reduce(1, a, values.data(), 0, images, of_images.data());
    show("  of images", of_images);
    scene.reduce(1, a, values.data(), 0, all, of_all.data());
    show("  of all", of_all);
  }

  scene.set(CUDNN_REDUCE_TENSOR_ADD);
  const DeviceArray<float> before{100, 200, 300};
  scene.reduce(2, a, values.data(), 0.5f, channels, before.data());
  show("twice the sum, half of what was there", before);
  const Tensor last(2, 3, 2, 2, CUDNN_TENSOR_NHWC);
  scene.reduce(1, last, values.data(), 0, channels, before.data());
  show("read as channels last", before);
  const Tensor planes(1, 3, 2, 2);
  const DeviceArray<float> sums(12);
  scene.reduce(1, a, values.data(), 0, planes, sums.data());
  show("over the images", sums);

  cudnnReduceTensorOp_t op;
  cudnnDataType_t type;
  cudnnNanPropagation_t nan;
  cudnnReduceTensorIndices_t indices;
  cudnnIndicesType_t indices_type;
  CHECK(cudnnGetReduceTensorDescriptor(scene.reduction, &op, &type, &nan, &indices, &indices_type));
  show("descriptor", static_cast<int>(op), static_cast<int>(type), static_cast<int>(nan),
       static_cast<int>(indices), static_cast<int>(indices_type));
}

}  // namespace reduce

/* Prints:
sum: 7 7 7
  of images: 19 2
  of all: 21
product: 0 16 0
  of images: 0 0
  of all: 0
least: 0 -2 -5
  of images: -5 -1
  of all: -5
most: 4 4 12
  of images: 12 1
  of all: 12
largest: 4 4 12
  of images: 12 1
  of all: 12
mean: 0.875 0.875 0.875
  of images: 1.583 0.167
  of all: 0.875
sum of sizes: 7 13 17
  of images: 33 4
  of all: 37
length: 5 5.385 13
  of images: 14.799 2
  of all: 14.933
product without zeros: 12 16 -60
  of images: 11520 -1
  of all: -11520
twice the sum, half of what was there: 64 114 164
read as channels last: 3 5 13
over the images: 3 4 0 0 2 1 5 -1 0 -5 0 12
descriptor: 0 0 0 0 0
*/

// Sums of tensors, with one value for each channel or for all, and with strides. What lies between
// the elements stays as it was.
namespace tensor_sums {

PART(tensor_sums) {
  const Dnn dnn;
  const float one = 1, two = 2, zero = 0, half = 0.5f;
  const Tensor tensor(2, 2, 1, 2), channels(1, 2, 1, 1), single(1, 1, 1, 1), picture(1, 1, 1, 2);
  const DeviceArray<float> c{1, 2, 3, 4, 5, 6, 7, 8}, bias{10, 20}, number{100};
  CHECK(cudnnAddTensor(dnn, &one, channels, bias.data(), &one, tensor, c.data()));
  show("bias", c);
  CHECK(cudnnAddTensor(dnn, &two, single, number.data(), &zero, tensor, c.data()));
  show("one for all, not added", c);
  CHECK(cudnnAddTensor(dnn, &one, picture, bias.data(), &half, tensor, c.data()));
  show("a picture", c);
  CHECK(cudnnScaleTensor(dnn, tensor, c.data(), &half));
  show("half", c);
  CHECK(cudnnSetTensor(dnn, tensor, c.data(), &two));
  show("set", c);

  const Tensor strided;
  CHECK(cudnnSetTensor4dDescriptorEx(strided, CUDNN_DATA_FLOAT, 2, 2, 1, 2, 9, 4, 4, 2));
  const DeviceArray<float> wide(std::vector<float>(16, -1));
  CHECK(cudnnSetTensor(dnn, strided, wide.data(), &two));
  show("with strides", wide);

  // Channels last: the same numbers, read by another descriptor.
  const Tensor last(1, 2, 1, 3, CUDNN_TENSOR_NHWC), first(1, 2, 1, 3);
  const DeviceArray<float> from{1, 2, 3, 4, 5, 6}, to(6);
  CHECK(cudnnAddTensor(dnn, &one, last, from.data(), &zero, last, to.data()));
  show("channels last", to);
  CHECK(cudnnAddTensor(dnn, &one, channels, bias.data(), &one, last, to.data()));
  show("bias of channels last", to);
}

}  // namespace tensor_sums

/* Prints:
bias: 11 12 23 24 15 16 27 28
one for all, not added: 200 200 200 200 200 200 200 200
a picture: 110 120 110 120 110 120 110 120
half: 55 60 55 60 55 60 55 60
set: 2 2 2 2 2 2 2 2
with strides: 2 -1 2 -1 2 -1 2 -1 -1 2 -1 2 -1 2 -1 2
channels last: 1 2 3 4 5 6
bias of channels last: 11 22 13 24 15 26
*/

// Statuses for arguments that do not fit each other.
namespace wrong_arguments {

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

PART(wrong_arguments) {
  const Dnn dnn;
  convolutions(dnn);
  layers(dnn);
  show_status("stream of no handle", cudnnSetStream(nullptr, nullptr));
  CHECK(cudaDeviceSynchronize());
}

}  // namespace wrong_arguments

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
