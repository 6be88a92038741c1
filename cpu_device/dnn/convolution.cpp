// SPDX-License-Identifier: MIT
#include "cpu_device/dnn/convolution.h"

namespace convkit::simt::dnn {
namespace {

// Two dimensions of space are the last two of three.
Distances distances_of(const cudnnTensorStruct& tensor) {
  Distances result;
  result.outer = tensor.stride[0];
  result.channel = tensor.stride[1];
  for (int i = 2; i < tensor.dims; ++i) {
    result.space[i - tensor.dims + kSpace] = tensor.stride[i];
  }
  return result;
}

void spread(const int* from, int count, int missing, int (&to)[kSpace]) {
  for (int i = 0; i < kSpace; ++i) {
    to[i] = i < kSpace - count ? missing : from[i - kSpace + count];
  }
}

}  // namespace

cudnnStatus_t describe(cudnnConvolutionDescriptor_t convolution, cudnnTensorDescriptor_t x,
                       cudnnFilterDescriptor_t w, cudnnTensorDescriptor_t y, Convolution& result) {
  if (!convolution || !x || !w || !y) return CUDNN_STATUS_BAD_PARAM;
  int expected[CUDNN_DIM_MAX];
  const cudnnStatus_t status =
      cudnnGetConvolutionNdForwardOutputDim(convolution, x, w, x->dims, expected);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  if (y->dims != x->dims || w->size[0] % convolution->groups != 0) return CUDNN_STATUS_BAD_PARAM;
  for (int i = 0; i < y->dims; ++i) {
    if (y->size[i] != expected[i]) return CUDNN_STATUS_BAD_PARAM;
  }
  const int dims = convolution->dims;
  const bool computes =
      convolution->compute_type == CUDNN_DATA_FLOAT ||
      (convolution->compute_type == CUDNN_DATA_HALF && x->type == CUDNN_DATA_HALF);
  if (x->type != w->type || x->type != y->type || !is_computed(*x) || !is_computed(*y) ||
      !computes || (dims != 2 && dims != 3)) {
    return CUDNN_STATUS_NOT_SUPPORTED;
  }
  result.images = x->size[0];
  result.groups = convolution->groups;
  result.channels = w->size[1];
  result.filters = w->size[0] / convolution->groups;
  spread(x->size + 2, dims, 1, result.in);
  spread(y->size + 2, dims, 1, result.out);
  spread(w->size + 2, dims, 1, result.window);
  spread(convolution->pad, dims, 0, result.pad);
  spread(convolution->stride, dims, 1, result.stride);
  spread(convolution->dilation, dims, 1, result.dilation);
  result.space_dims = dims;
  result.flipped = convolution->mode == CUDNN_CONVOLUTION;
  result.x_tensor = *x;
  result.w_tensor = as_tensor(*w);
  result.y_tensor = *y;
  result.x = distances_of(result.x_tensor);
  result.w = distances_of(result.w_tensor);
  result.y = distances_of(result.y_tensor);
  return CUDNN_STATUS_SUCCESS;
}

PassTensors tensors_of(Pass pass, const Convolution& conv) {
  switch (pass) {
    case Pass::data:
      return {conv.w_tensor, conv.y_tensor, conv.x_tensor};
    case Pass::filter:
      return {conv.x_tensor, conv.y_tensor, conv.w_tensor};
    default:
      return {conv.x_tensor, conv.w_tensor, conv.y_tensor};
  }
}

}  // namespace convkit::simt::dnn
