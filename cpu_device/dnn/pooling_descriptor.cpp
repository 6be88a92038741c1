// SPDX-License-Identifier: MIT
// Descriptors of poolings, and the sizes that come of them.
#include <algorithm>

#include "cpu_device/dnn/alive.h"
#include "cpu_device/dnn/descriptors.h"

using namespace convkit::simt::dnn;

extern "C" {

cudnnStatus_t cudnnCreatePoolingDescriptor(cudnnPoolingDescriptor_t* poolingDesc) {
  if (!poolingDesc) return CUDNN_STATUS_BAD_PARAM;
  *poolingDesc = new cudnnPoolingStruct;
  note_created(*poolingDesc, "pooling descriptor",
               convkit::simt::library_call("cudnnCreatePoolingDescriptor"));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroyPoolingDescriptor(cudnnPoolingDescriptor_t poolingDesc) {
  note_destroyed(poolingDesc);
  delete poolingDesc;
  return CUDNN_STATUS_SUCCESS;
}

// Negative padding is taken, as by cuDNN.
cudnnStatus_t cudnnSetPoolingNdDescriptor(cudnnPoolingDescriptor_t poolingDesc,
                                          const cudnnPoolingMode_t mode,
                                          const cudnnNanPropagation_t maxpoolingNanOpt, int nbDims,
                                          const int windowDimA[], const int paddingA[],
                                          const int strideA[]) {
  if (!poolingDesc || mode < CUDNN_POOLING_MAX || mode > CUDNN_POOLING_MAX_DETERMINISTIC ||
      !is_nan_propagation(maxpoolingNanOpt) || nbDims < 1 || !windowDimA || !paddingA || !strideA) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  if (nbDims > kMostSpatial) return CUDNN_STATUS_NOT_SUPPORTED;
  for (int i = 0; i < nbDims; ++i) {
    if (windowDimA[i] <= 0 || strideA[i] <= 0) return CUDNN_STATUS_BAD_PARAM;
  }
  poolingDesc->mode = mode;
  poolingDesc->nan = maxpoolingNanOpt;
  poolingDesc->dims = nbDims;
  std::copy_n(windowDimA, nbDims, poolingDesc->window);
  std::copy_n(paddingA, nbDims, poolingDesc->pad);
  std::copy_n(strideA, nbDims, poolingDesc->stride);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetPooling2dDescriptor(cudnnPoolingDescriptor_t poolingDesc,
                                          cudnnPoolingMode_t mode,
                                          cudnnNanPropagation_t maxpoolingNanOpt, int windowHeight,
                                          int windowWidth, int verticalPadding,
                                          int horizontalPadding, int verticalStride,
                                          int horizontalStride) {
  const int window[] = {windowHeight, windowWidth}, pad[] = {verticalPadding, horizontalPadding},
            stride[] = {verticalStride, horizontalStride};
  return cudnnSetPoolingNdDescriptor(poolingDesc, mode, maxpoolingNanOpt, 2, window, pad, stride);
}

cudnnStatus_t cudnnGetPooling2dDescriptor(const cudnnPoolingDescriptor_t poolingDesc,
                                          cudnnPoolingMode_t* mode,
                                          cudnnNanPropagation_t* maxpoolingNanOpt,
                                          int* windowHeight, int* windowWidth, int* verticalPadding,
                                          int* horizontalPadding, int* verticalStride,
                                          int* horizontalStride) {
  if (!poolingDesc || !mode || !maxpoolingNanOpt || !windowHeight || !windowWidth ||
      !verticalPadding || !horizontalPadding || !verticalStride || !horizontalStride) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  *mode = poolingDesc->mode;
  *maxpoolingNanOpt = poolingDesc->nan;
  *windowHeight = poolingDesc->window[0];
  *windowWidth = poolingDesc->window[1];
  *verticalPadding = poolingDesc->pad[0];
  *horizontalPadding = poolingDesc->pad[1];
  *verticalStride = poolingDesc->stride[0];
  *horizontalStride = poolingDesc->stride[1];
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetPoolingNdDescriptor(const cudnnPoolingDescriptor_t poolingDesc,
                                          int nbDimsRequested, cudnnPoolingMode_t* mode,
                                          cudnnNanPropagation_t* maxpoolingNanOpt, int* nbDims,
                                          int windowDimA[], int paddingA[], int strideA[]) {
  if (!poolingDesc || !mode || !maxpoolingNanOpt || !nbDims || !windowDimA || !paddingA ||
      !strideA || nbDimsRequested < 0) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  if (nbDimsRequested > kMostSpatial) return CUDNN_STATUS_NOT_SUPPORTED;
  const int given = std::min(nbDimsRequested, poolingDesc->dims);
  *mode = poolingDesc->mode;
  *maxpoolingNanOpt = poolingDesc->nan;
  *nbDims = poolingDesc->dims;
  std::copy_n(poolingDesc->window, given, windowDimA);
  std::copy_n(poolingDesc->pad, given, paddingA);
  std::copy_n(poolingDesc->stride, given, strideA);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetPoolingNdForwardOutputDim(const cudnnPoolingDescriptor_t poolingDesc,
                                                const cudnnTensorDescriptor_t inputTensorDesc,
                                                int nbDims, int outputTensorDimA[]) {
  if (!poolingDesc || !inputTensorDesc || !outputTensorDimA) return CUDNN_STATUS_BAD_PARAM;
  const cudnnTensorStruct& x = *inputTensorDesc;
  if (x.dims != nbDims || x.dims != poolingDesc->dims + 2) return CUDNN_STATUS_BAD_PARAM;
  int size[CUDNN_DIM_MAX] = {x.size[0], x.size[1]};
  for (int i = 2; i < nbDims; ++i) {
    const int axis = i - 2;
    const int room = x.size[i] + 2 * poolingDesc->pad[axis] - poolingDesc->window[axis];
    if (room < 0) return CUDNN_STATUS_BAD_PARAM;
    size[i] = room / poolingDesc->stride[axis] + 1;
  }
  std::copy_n(size, nbDims, outputTensorDimA);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetPooling2dForwardOutputDim(const cudnnPoolingDescriptor_t poolingDesc,
                                                const cudnnTensorDescriptor_t inputTensorDesc,
                                                int* n, int* c, int* h, int* w) {
  if (!n || !c || !h || !w) return CUDNN_STATUS_BAD_PARAM;
  int size[4];
  const cudnnStatus_t status =
      cudnnGetPoolingNdForwardOutputDim(poolingDesc, inputTensorDesc, 4, size);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  *n = size[0];
  *c = size[1];
  *h = size[2];
  *w = size[3];
  return CUDNN_STATUS_SUCCESS;
}

}  // extern "C"
