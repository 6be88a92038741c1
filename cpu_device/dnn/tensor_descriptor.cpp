// SPDX-License-Identifier: MIT
// Descriptors of tensors.
#include <algorithm>
#include <string>

#include "cpu_device/dnn/alive.h"
#include "cpu_device/dnn/descriptors.h"
#include "cpu_device/dnn/refusal.h"

namespace convkit::simt::dnn {
namespace {

constexpr int64_t kMostElements = (int64_t{1} << 31) - 1;

// What the arguments of a call are called: one for each dimension, or one array.
struct SizeNames {
  const char* size[4];
  const char* stride[4];

  std::string of_size(int i) const { return name(size, i); }
  std::string of_stride(int i) const { return name(stride, i); }

 private:
  static std::string name(const char* const (&names)[4], int i) {
    return names[1] ? std::string(names[i]) : said(names[0], "[", i, "]");
  }
};
constexpr SizeNames kFour{{"n", "c", "h", "w"}, {"nStride", "cStride", "hStride", "wStride"}};
constexpr SizeNames kArrays{{"dimA"}, {"strideA"}};

bool is_not_positive(Refusal& refusal, const SizeNames& names, int i, int size) {
  return size <= 0 && refusal.bad_param(said(names.of_size(i), " is ", size,
                                             "; every dimension must be at least 1"));
}

bool has_too_many_elements(Refusal& refusal, int dims, const int size[]) {
  int64_t count = 1;
  for (int i = 0; i < dims; ++i) {
    if (!__builtin_mul_overflow(count, int64_t{size[i]}, &count) && count <= kMostElements)
      continue;
    return refusal.not_supported(said("the tensor is ", sizes_text(dims, size), "; at most ",
                                      kMostElements, " elements are supported"));
  }
  return false;
}

cudnnStatus_t set(Refusal& refusal, const SizeNames& names, cudnnTensorDescriptor_t tensor,
                  cudnnDataType_t type, int dims, const int size[], const int64_t stride[]) {
  for (int i = 0; i < dims; ++i) {
    if (is_not_positive(refusal, names, i, size[i])) return refusal.status();
  }
  for (int i = 0; i < dims; ++i) {
    if (stride[i] != 0 || size[i] == 1) continue;
    refusal.bad_param(said(names.of_stride(i), " is 0, and ", names.of_size(i), " is ", size[i],
                           "; only a dimension of 1 may have the stride 0"));
    return refusal.status();
  }
  if (has_too_many_elements(refusal, dims, size)) return refusal.status();
  tensor->type = type;
  tensor->dims = dims;
  for (int i = 0; i < dims; ++i) {
    tensor->size[i] = size[i];
    tensor->stride[i] = static_cast<int>(stride[i]);
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t set_packed(Refusal& refusal, const SizeNames& names, cudnnTensorDescriptor_t tensor,
                         cudnnTensorFormat_t format, cudnnDataType_t type, int dims,
                         const int size[]) {
  if (refusal.null({{"tensorDesc", tensor}}) || refusal.unknown_type("dataType", type) ||
      refusal.unknown_format("format", format)) {
    return refusal.status();
  }
  for (int i = 0; i < dims; ++i) {
    if (is_not_positive(refusal, names, i, size[i])) return refusal.status();
  }
  // Before the distances are made of them.
  if (has_too_many_elements(refusal, dims, size)) return refusal.status();
  int64_t stride[CUDNN_DIM_MAX];
  packed_strides(format, dims, size, stride);
  return set(refusal, names, tensor, type, dims, size, stride);
}

bool are_wrong_dims(Refusal& refusal, int dims) {
  return (dims < 2 && refusal.wrong_number("nbDims", dims, "a tensor has at least 2 dimensions")) ||
         (dims > CUDNN_DIM_MAX &&
          refusal.not_supported(
              said("nbDims is ", dims, "; at most ", CUDNN_DIM_MAX, " dimensions are supported")));
}

}  // namespace
}  // namespace convkit::simt::dnn

using namespace convkit::simt::dnn;

extern "C" {

cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t* tensorDesc) {
  Refusal refusal("cudnnCreateTensorDescriptor");
  if (refusal.null({{"tensorDesc", tensorDesc}})) return refusal.status();
  *tensorDesc = new cudnnTensorStruct;
  note_created(tensorDesc, "tensor descriptor",
               convkit::simt::library_call("cudnnCreateTensorDescriptor"));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t tensorDesc) {
  return destroy("cudnnDestroyTensorDescriptor", "tensorDesc", tensorDesc);
}

cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t tensorDesc,
                                         cudnnTensorFormat_t format, cudnnDataType_t dataType,
                                         int n, int c, int h, int w) {
  const int size[] = {n, c, h, w};
  Refusal refusal("cudnnSetTensor4dDescriptor");
  return set_packed(refusal, kFour, tensorDesc, format, dataType, 4, size);
}

cudnnStatus_t cudnnSetTensor4dDescriptorEx(cudnnTensorDescriptor_t tensorDesc,
                                           cudnnDataType_t dataType, int n, int c, int h, int w,
                                           int nStride, int cStride, int hStride, int wStride) {
  Refusal refusal("cudnnSetTensor4dDescriptorEx");
  if (refusal.null({{"tensorDesc", tensorDesc}}) || refusal.unknown_type("dataType", dataType)) {
    return refusal.status();
  }
  const int size[] = {n, c, h, w};
  const int64_t stride[] = {nStride, cStride, hStride, wStride};
  return set(refusal, kFour, tensorDesc, dataType, 4, size, stride);
}

cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t tensorDesc,
                                         cudnnDataType_t dataType, int nbDims, const int dimA[],
                                         const int strideA[]) {
  Refusal refusal("cudnnSetTensorNdDescriptor");
  if (refusal.null({{"tensorDesc", tensorDesc}, {"dimA", dimA}, {"strideA", strideA}}) ||
      refusal.unknown_type("dataType", dataType) || are_wrong_dims(refusal, nbDims)) {
    return refusal.status();
  }
  int64_t stride[CUDNN_DIM_MAX];
  std::copy_n(strideA, nbDims, stride);
  return set(refusal, kArrays, tensorDesc, dataType, nbDims, dimA, stride);
}

cudnnStatus_t cudnnSetTensorNdDescriptorEx(cudnnTensorDescriptor_t tensorDesc,
                                           cudnnTensorFormat_t format, cudnnDataType_t dataType,
                                           int nbDims, const int dimA[]) {
  Refusal refusal("cudnnSetTensorNdDescriptorEx");
  if (refusal.null({{"dimA", dimA}}) || are_wrong_dims(refusal, nbDims)) return refusal.status();
  return set_packed(refusal, kArrays, tensorDesc, format, dataType, nbDims, dimA);
}

// If there are more dimensions, it gives the first four, as cuDNN does.
cudnnStatus_t cudnnGetTensor4dDescriptor(const cudnnTensorDescriptor_t tensorDesc,
                                         cudnnDataType_t* dataType, int* n, int* c, int* h, int* w,
                                         int* nStride, int* cStride, int* hStride, int* wStride) {
  int* const size[] = {n, c, h, w};
  int* const stride[] = {nStride, cStride, hStride, wStride};
  Refusal refusal("cudnnGetTensor4dDescriptor");
  if (refusal.null({{"tensorDesc", tensorDesc}, {"dataType", dataType}})) return refusal.status();
  for (int i = 0; i < 4; ++i) {
    if (refusal.null({{kFour.size[i], size[i]}, {kFour.stride[i], stride[i]}})) {
      return refusal.status();
    }
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
  Refusal refusal("cudnnGetTensorNdDescriptor");
  if (refusal.null({{"tensorDesc", tensorDesc},
                    {"dataType", dataType},
                    {"nbDims", nbDims},
                    {"dimA", dimA},
                    {"strideA", strideA}})) {
    return refusal.status();
  }
  *dataType = tensorDesc->type;
  *nbDims = tensorDesc->dims;
  const int given = std::max(0, std::min(nbDimsRequested, tensorDesc->dims));
  std::copy_n(tensorDesc->size, given, dimA);
  std::copy_n(tensorDesc->stride, given, strideA);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetTensorSizeInBytes(const cudnnTensorDescriptor_t tensorDesc, size_t* size) {
  Refusal refusal("cudnnGetTensorSizeInBytes");
  if (refusal.null({{"tensorDesc", tensorDesc}, {"size", size}})) return refusal.status();
  *size = static_cast<size_t>(extent(*tensorDesc)) * element_bytes(tensorDesc->type);
  return CUDNN_STATUS_SUCCESS;
}

}  // extern "C"
