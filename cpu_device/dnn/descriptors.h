// SPDX-License-Identifier: MIT
// The contents of the descriptors. They are plain values: a call copies what it needs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/cudnn_convolution.h"
#include "simt/cudnn_layers.h"
#include "simt/cudnn_tensor.h"

constexpr int kMostSpatial = CUDNN_DIM_MAX - 2;

struct cudnnTensorStruct {
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  int dims = 0;
  int size[CUDNN_DIM_MAX] = {};
  int stride[CUDNN_DIM_MAX] = {};
};

struct cudnnFilterStruct {
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW;
  int dims = 0;
  int size[CUDNN_DIM_MAX] = {};
};

struct cudnnConvolutionStruct {
  int dims = 0;  // of space
  int pad[kMostSpatial] = {};
  int stride[kMostSpatial] = {};
  int dilation[kMostSpatial] = {};
  cudnnConvolutionMode_t mode = CUDNN_CONVOLUTION;
  cudnnDataType_t compute_type = CUDNN_DATA_FLOAT;
  cudnnMathType_t math_type = CUDNN_DEFAULT_MATH;
  int groups = 1;
};

struct cudnnPoolingStruct {
  cudnnPoolingMode_t mode = CUDNN_POOLING_MAX;
  cudnnNanPropagation_t nan = CUDNN_NOT_PROPAGATE_NAN;
  int dims = 0;  // of space
  int window[kMostSpatial] = {};
  int pad[kMostSpatial] = {};
  int stride[kMostSpatial] = {};
};

struct cudnnActivationStruct {
  cudnnActivationMode_t mode = CUDNN_ACTIVATION_SIGMOID;
  cudnnNanPropagation_t nan = CUDNN_NOT_PROPAGATE_NAN;
  double coefficient = 0;
};

namespace convkit::simt::dnn {

// 0: no type that the library knows.
size_t element_bytes(cudnnDataType_t type);

bool is_format(cudnnTensorFormat_t format);
bool is_nan_propagation(cudnnNanPropagation_t value);

// Distances of a tensor whose elements lie together: channels last for NHWC.
void packed_strides(cudnnTensorFormat_t format, int dims, const int size[], int64_t stride[]);

// The sizes of the result of a convolution. False, if the call is refused: they do not fit. The
// names are those of the arguments.
struct ConvolutionInputs {
  const char* x_name;
  const cudnnTensorStruct& x;
  const char* w_name;
  const cudnnFilterStruct& w;
};
class Refusal;
bool output_sizes(Refusal& refusal, const cudnnConvolutionStruct& convolution,
                  const ConvolutionInputs& inputs, int (&size)[CUDNN_DIM_MAX]);

// The same of a pooling.
bool output_sizes(Refusal& refusal, const cudnnPoolingStruct& pooling, const char* x_name,
                  const cudnnTensorStruct& x, int (&size)[CUDNN_DIM_MAX]);

// The size in memory from the first element to the last.
int64_t extent(const cudnnTensorStruct& tensor);

}  // namespace convkit::simt::dnn
