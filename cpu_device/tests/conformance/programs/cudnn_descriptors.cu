// SPDX-License-Identifier: MIT
// Descriptors, what they hold, and the sizes that come of them. Nothing is computed.
// Link with -lcudnn.
#include "../check_cudnn.h"

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

int main() {
  tensors();
  filters();
  convolutions();
  poolings_and_activations();
  refusals();
  for (const int status : {0, 1001, 2000, 2001, 3000, 3003, 4000, 4003, 5000, 7}) {
    show(cudnnGetErrorString(static_cast<cudnnStatus_t>(status)), status);
  }
}

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
