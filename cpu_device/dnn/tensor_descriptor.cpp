// SPDX-License-Identifier: MIT
// Descriptors of tensors.
#include <algorithm>

#include "cpu_device/dnn/alive.h"
#include "cpu_device/dnn/descriptors.h"

namespace convkit::simt::dnn {
namespace {

constexpr int64_t kMostElements = (int64_t{1} << 31) - 1;

cudnnStatus_t set(cudnnTensorDescriptor_t tensor, cudnnDataType_t type, int dims, const int size[],
                  const int64_t stride[]) {
  int64_t count = 1;
  for (int i = 0; i < dims; ++i) {
    if (size[i] <= 0 || (stride[i] == 0 && size[i] != 1)) return CUDNN_STATUS_BAD_PARAM;
  }
  for (int i = 0; i < dims; ++i) {
    if (__builtin_mul_overflow(count, int64_t{size[i]}, &count) || count > kMostElements) {
      return CUDNN_STATUS_NOT_SUPPORTED;
    }
  }
  tensor->type = type;
  tensor->dims = dims;
  for (int i = 0; i < dims; ++i) {
    tensor->size[i] = size[i];
    tensor->stride[i] = static_cast<int>(stride[i]);
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t set_packed(cudnnTensorDescriptor_t tensor, cudnnTensorFormat_t format,
                         cudnnDataType_t type, int dims, const int size[]) {
  if (!tensor || element_bytes(type) == 0 || !is_format(format)) return CUDNN_STATUS_BAD_PARAM;
  int64_t elements = 1;
  for (int i = 0; i < dims; ++i) {
    if (size[i] <= 0) return CUDNN_STATUS_BAD_PARAM;
    // Before the distances are made of them.
    if (elements <= kMostElements) elements *= size[i];
  }
  if (elements > kMostElements) return CUDNN_STATUS_NOT_SUPPORTED;
  int64_t stride[CUDNN_DIM_MAX];
  packed_strides(format, dims, size, stride);
  return set(tensor, type, dims, size, stride);
}

// A tensor has two dimensions at least.
cudnnStatus_t judge_dims(int dims) {
  if (dims < 2) return CUDNN_STATUS_BAD_PARAM;
  return dims > CUDNN_DIM_MAX ? CUDNN_STATUS_NOT_SUPPORTED : CUDNN_STATUS_SUCCESS;
}

}  // namespace
}  // namespace convkit::simt::dnn

using namespace convkit::simt::dnn;

extern "C" {

cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t* tensorDesc) {
  if (!tensorDesc) return CUDNN_STATUS_BAD_PARAM;
  *tensorDesc = new cudnnTensorStruct;
  note_created(*tensorDesc, "tensor descriptor",
               convkit::simt::library_call("cudnnCreateTensorDescriptor"));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t tensorDesc) {
  note_destroyed(tensorDesc);
  delete tensorDesc;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t tensorDesc,
                                         cudnnTensorFormat_t format, cudnnDataType_t dataType,
                                         int n, int c, int h, int w) {
  const int size[] = {n, c, h, w};
  return set_packed(tensorDesc, format, dataType, 4, size);
}

cudnnStatus_t cudnnSetTensor4dDescriptorEx(cudnnTensorDescriptor_t tensorDesc,
                                           cudnnDataType_t dataType, int n, int c, int h, int w,
                                           int nStride, int cStride, int hStride, int wStride) {
  if (!tensorDesc || element_bytes(dataType) == 0) return CUDNN_STATUS_BAD_PARAM;
  const int size[] = {n, c, h, w};
  const int64_t stride[] = {nStride, cStride, hStride, wStride};
  return set(tensorDesc, dataType, 4, size, stride);
}

cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t tensorDesc,
                                         cudnnDataType_t dataType, int nbDims, const int dimA[],
                                         const int strideA[]) {
  if (!tensorDesc || !dimA || !strideA || element_bytes(dataType) == 0) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  const cudnnStatus_t status = judge_dims(nbDims);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  int64_t stride[CUDNN_DIM_MAX];
  std::copy_n(strideA, nbDims, stride);
  return set(tensorDesc, dataType, nbDims, dimA, stride);
}

cudnnStatus_t cudnnSetTensorNdDescriptorEx(cudnnTensorDescriptor_t tensorDesc,
                                           cudnnTensorFormat_t format, cudnnDataType_t dataType,
                                           int nbDims, const int dimA[]) {
  if (!dimA) return CUDNN_STATUS_BAD_PARAM;
  const cudnnStatus_t status = judge_dims(nbDims);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  return set_packed(tensorDesc, format, dataType, nbDims, dimA);
}

// If there are more dimensions, it gives the first four, as cuDNN does.
cudnnStatus_t cudnnGetTensor4dDescriptor(const cudnnTensorDescriptor_t tensorDesc,
                                         cudnnDataType_t* dataType, int* n, int* c, int* h, int* w,
                                         int* nStride, int* cStride, int* hStride, int* wStride) {
  int* const size[] = {n, c, h, w};
  int* const stride[] = {nStride, cStride, hStride, wStride};
  if (!tensorDesc || !dataType) return CUDNN_STATUS_BAD_PARAM;
  for (int i = 0; i < 4; ++i) {
    if (!size[i] || !stride[i]) return CUDNN_STATUS_BAD_PARAM;
  }
  *dataType = tensorDesc->type;
  for (int i = 0; i < 4; ++i) {
    *size[i] = tensorDesc->size[i];
    *stride[i] = tensorDesc->stride[i];
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetTensorNdDescriptor(const cudnnTensorDescriptor_t tensorDesc,
                                         int nbDimsRequested, cudnnDataType_t* dataType,
                                         int* nbDims, int dimA[], int strideA[]) {
  if (!tensorDesc || !dataType || !nbDims || !dimA || !strideA) return CUDNN_STATUS_BAD_PARAM;
  *dataType = tensorDesc->type;
  *nbDims = tensorDesc->dims;
  const int given = std::max(0, std::min(nbDimsRequested, tensorDesc->dims));
  std::copy_n(tensorDesc->size, given, dimA);
  std::copy_n(tensorDesc->stride, given, strideA);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetTensorSizeInBytes(const cudnnTensorDescriptor_t tensorDesc, size_t* size) {
  if (!tensorDesc || !size) return CUDNN_STATUS_BAD_PARAM;
  *size = static_cast<size_t>(extent(*tensorDesc)) * element_bytes(tensorDesc->type);
  return CUDNN_STATUS_SUCCESS;
}

}  // extern "C"
