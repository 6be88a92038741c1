// SPDX-License-Identifier: MIT
// Descriptors of convolutions, and the sizes that come of them.
#include <algorithm>

#include "cpu_device/dnn/alive.h"
#include "cpu_device/dnn/descriptors.h"

namespace {

bool all_at_least(int least, int count, const int values[]) {
  return std::all_of(values, values + count, [=](int value) { return value >= least; });
}

int output_size(const cudnnConvolutionStruct& convolution, int axis, int in, int filter) {
  const int reach = convolution.dilation[axis] * (filter - 1) + 1;
  const int room = in + 2 * convolution.pad[axis] - reach;
  return room < 0 ? 0 : room / convolution.stride[axis] + 1;
}

}  // namespace

extern "C" {

cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t* convDesc) {
  if (!convDesc) return CUDNN_STATUS_BAD_PARAM;
  *convDesc = new cudnnConvolutionStruct;
  convkit::simt::dnn::note_created(*convDesc, "convolution descriptor",
                                   convkit::simt::library_call("cudnnCreateConvolutionDescriptor"));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t convDesc) {
  convkit::simt::dnn::note_destroyed(convDesc);
  delete convDesc;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t convDesc,
                                          cudnnMathType_t mathType) {
  if (!convDesc || mathType < CUDNN_DEFAULT_MATH || mathType > CUDNN_FMA_MATH) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  convDesc->math_type = mathType;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetConvolutionMathType(cudnnConvolutionDescriptor_t convDesc,
                                          cudnnMathType_t* mathType) {
  if (!convDesc || !mathType) return CUDNN_STATUS_BAD_PARAM;
  *mathType = convDesc->math_type;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t convDesc, int groupCount) {
  if (!convDesc || groupCount < 1) return CUDNN_STATUS_BAD_PARAM;
  convDesc->groups = groupCount;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetConvolutionGroupCount(cudnnConvolutionDescriptor_t convDesc,
                                            int* groupCount) {
  if (!convDesc || !groupCount) return CUDNN_STATUS_BAD_PARAM;
  *groupCount = convDesc->groups;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t convDesc,
                                              int arrayLength, const int padA[],
                                              const int filterStrideA[], const int dilationA[],
                                              cudnnConvolutionMode_t mode,
                                              cudnnDataType_t computeType) {
  if (!convDesc || arrayLength < 0 || !padA || !filterStrideA || !dilationA) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  if (arrayLength > kMostSpatial) return CUDNN_STATUS_NOT_SUPPORTED;
  const bool is_sum = computeType == CUDNN_DATA_FLOAT || computeType == CUDNN_DATA_DOUBLE ||
                      computeType == CUDNN_DATA_HALF || computeType == CUDNN_DATA_INT32;
  if ((mode != CUDNN_CONVOLUTION && mode != CUDNN_CROSS_CORRELATION) || !is_sum ||
      !all_at_least(0, arrayLength, padA) || !all_at_least(1, arrayLength, filterStrideA) ||
      !all_at_least(1, arrayLength, dilationA)) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  convDesc->dims = arrayLength;
  std::copy_n(padA, arrayLength, convDesc->pad);
  std::copy_n(filterStrideA, arrayLength, convDesc->stride);
  std::copy_n(dilationA, arrayLength, convDesc->dilation);
  convDesc->mode = mode;
  convDesc->compute_type = computeType;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t convDesc, int pad_h,
                                              int pad_w, int u, int v, int dilation_h,
                                              int dilation_w, cudnnConvolutionMode_t mode,
                                              cudnnDataType_t computeType) {
  const int pad[] = {pad_h, pad_w}, stride[] = {u, v}, dilation[] = {dilation_h, dilation_w};
  return cudnnSetConvolutionNdDescriptor(convDesc, 2, pad, stride, dilation, mode, computeType);
}

cudnnStatus_t cudnnGetConvolution2dDescriptor(const cudnnConvolutionDescriptor_t convDesc,
                                              int* pad_h, int* pad_w, int* u, int* v,
                                              int* dilation_h, int* dilation_w,
                                              cudnnConvolutionMode_t* mode,
                                              cudnnDataType_t* computeType) {
  if (!convDesc || !pad_h || !pad_w || !u || !v || !dilation_h || !dilation_w || !mode ||
      !computeType) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  *pad_h = convDesc->pad[0];
  *pad_w = convDesc->pad[1];
  *u = convDesc->stride[0];
  *v = convDesc->stride[1];
  *dilation_h = convDesc->dilation[0];
  *dilation_w = convDesc->dilation[1];
  *mode = convDesc->mode;
  *computeType = convDesc->compute_type;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionNdDescriptor(const cudnnConvolutionDescriptor_t convDesc,
                                              int arrayLengthRequested, int* arrayLength,
                                              int padA[], int strideA[], int dilationA[],
                                              cudnnConvolutionMode_t* mode,
                                              cudnnDataType_t* computeType) {
  if (!convDesc || arrayLengthRequested < 0 || !arrayLength || !padA || !strideA || !dilationA ||
      !mode || !computeType) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  if (arrayLengthRequested > kMostSpatial) return CUDNN_STATUS_NOT_SUPPORTED;
  const int given = std::min(arrayLengthRequested, convDesc->dims);
  *arrayLength = convDesc->dims;
  std::copy_n(convDesc->pad, given, padA);
  std::copy_n(convDesc->stride, given, strideA);
  std::copy_n(convDesc->dilation, given, dilationA);
  *mode = convDesc->mode;
  *computeType = convDesc->compute_type;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionNdForwardOutputDim(const cudnnConvolutionDescriptor_t convDesc,
                                                    const cudnnTensorDescriptor_t inputTensorDesc,
                                                    const cudnnFilterDescriptor_t filterDesc,
                                                    int nbDims, int tensorOuputDimA[]) {
  if (!convDesc || !inputTensorDesc || !filterDesc || !tensorOuputDimA) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  const cudnnTensorStruct& x = *inputTensorDesc;
  const cudnnFilterStruct& w = *filterDesc;
  if (x.dims != convDesc->dims + 2 || w.dims != x.dims || nbDims > x.dims ||
      x.size[1] != w.size[1] * convDesc->groups) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  int size[CUDNN_DIM_MAX] = {x.size[0], w.size[0]};
  for (int i = 2; i < x.dims; ++i) {
    size[i] = output_size(*convDesc, i - 2, x.size[i], w.size[i]);
    if (size[i] <= 0) return CUDNN_STATUS_BAD_PARAM;
  }
  std::copy_n(size, std::max(0, nbDims), tensorOuputDimA);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolution2dForwardOutputDim(const cudnnConvolutionDescriptor_t convDesc,
                                                    const cudnnTensorDescriptor_t inputTensorDesc,
                                                    const cudnnFilterDescriptor_t filterDesc,
                                                    int* n, int* c, int* h, int* w) {
  if (!n || !c || !h || !w) return CUDNN_STATUS_BAD_PARAM;
  int size[4];
  const cudnnStatus_t status =
      cudnnGetConvolutionNdForwardOutputDim(convDesc, inputTensorDesc, filterDesc, 4, size);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  *n = size[0];
  *c = size[1];
  *h = size[2];
  *w = size[3];
  return CUDNN_STATUS_SUCCESS;
}

}  // extern "C"
