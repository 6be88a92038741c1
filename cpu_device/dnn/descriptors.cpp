// SPDX-License-Identifier: MIT
#include "cpu_device/dnn/descriptors.h"

namespace convkit::simt::dnn {

size_t element_bytes(cudnnDataType_t type) {
  switch (type) {
    case CUDNN_DATA_FLOAT:
    case CUDNN_DATA_INT32:
    case CUDNN_DATA_INT8x4:
    case CUDNN_DATA_UINT8x4:
    case CUDNN_DATA_UINT32:
      return 4;
    case CUDNN_DATA_DOUBLE:
    case CUDNN_DATA_INT64:
      return 8;
    case CUDNN_DATA_HALF:
    case CUDNN_DATA_BFLOAT16:
      return 2;
    case CUDNN_DATA_INT8:
    case CUDNN_DATA_UINT8:
    case CUDNN_DATA_BOOLEAN:
      return 1;
    case CUDNN_DATA_INT8x32:
      return 32;
    default:
      return 0;
  }
}

bool is_format(cudnnTensorFormat_t format) {
  return format == CUDNN_TENSOR_NCHW || format == CUDNN_TENSOR_NHWC;
}

bool is_nan_propagation(cudnnNanPropagation_t value) {
  return value == CUDNN_NOT_PROPAGATE_NAN || value == CUDNN_PROPAGATE_NAN;
}

void packed_strides(cudnnTensorFormat_t format, int dims, const int size[], int64_t stride[]) {
  const bool channels_last = format == CUDNN_TENSOR_NHWC && dims > 1;
  int64_t distance = 1;
  if (channels_last) {
    stride[1] = 1;
    distance = size[1];
  }
  for (int i = dims - 1; i >= 0; --i) {
    if (i == 1 && channels_last) continue;
    stride[i] = distance;
    distance *= size[i];
  }
}

int64_t extent(const cudnnTensorStruct& tensor) {
  if (tensor.dims == 0) return 0;
  int64_t last = 0;
  for (int i = 0; i < tensor.dims; ++i) last += int64_t{tensor.size[i] - 1} * tensor.stride[i];
  return last + 1;
}

}  // namespace convkit::simt::dnn
