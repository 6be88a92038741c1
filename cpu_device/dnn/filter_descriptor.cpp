// SPDX-License-Identifier: MIT
// Descriptors of filters: the first dimension is that of the results, the second of the inputs.
#include <algorithm>

#include "cpu_device/dnn/alive.h"
#include "cpu_device/dnn/descriptors.h"

using namespace convkit::simt::dnn;

extern "C" {

cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t* filterDesc) {
  if (!filterDesc) return CUDNN_STATUS_BAD_PARAM;
  *filterDesc = new cudnnFilterStruct;
  note_created(*filterDesc, "filter descriptor",
               convkit::simt::library_call("cudnnCreateFilterDescriptor"));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t filterDesc) {
  note_destroyed(filterDesc);
  delete filterDesc;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetFilterNdDescriptor(cudnnFilterDescriptor_t filterDesc,
                                         cudnnDataType_t dataType, cudnnTensorFormat_t format,
                                         int nbDims, const int filterDimA[]) {
  if (!filterDesc || !filterDimA || element_bytes(dataType) == 0 || !is_format(format) ||
      nbDims < 3) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  if (nbDims > CUDNN_DIM_MAX) return CUDNN_STATUS_NOT_SUPPORTED;
  if (std::any_of(filterDimA, filterDimA + nbDims, [](int size) { return size <= 0; })) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  filterDesc->type = dataType;
  filterDesc->format = format;
  filterDesc->dims = nbDims;
  std::copy_n(filterDimA, nbDims, filterDesc->size);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t filterDesc,
                                         cudnnDataType_t dataType, cudnnTensorFormat_t format,
                                         int k, int c, int h, int w) {
  const int size[] = {k, c, h, w};
  return cudnnSetFilterNdDescriptor(filterDesc, dataType, format, 4, size);
}

cudnnStatus_t cudnnGetFilter4dDescriptor(const cudnnFilterDescriptor_t filterDesc,
                                         cudnnDataType_t* dataType, cudnnTensorFormat_t* format,
                                         int* k, int* c, int* h, int* w) {
  if (!filterDesc || !dataType || !format || !k || !c || !h || !w) return CUDNN_STATUS_BAD_PARAM;
  *dataType = filterDesc->type;
  *format = filterDesc->format;
  *k = filterDesc->size[0];
  *c = filterDesc->size[1];
  *h = filterDesc->size[2];
  *w = filterDesc->size[3];
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetFilterNdDescriptor(const cudnnFilterDescriptor_t filterDesc,
                                         int nbDimsRequested, cudnnDataType_t* dataType,
                                         cudnnTensorFormat_t* format, int* nbDims,
                                         int filterDimA[]) {
  if (!filterDesc || !dataType || !format || !nbDims || !filterDimA) return CUDNN_STATUS_BAD_PARAM;
  *dataType = filterDesc->type;
  *format = filterDesc->format;
  *nbDims = filterDesc->dims;
  std::copy_n(filterDesc->size, std::max(0, std::min(nbDimsRequested, filterDesc->dims)),
              filterDimA);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetFilterSizeInBytes(const cudnnFilterDescriptor_t filterDesc, size_t* size) {
  if (!filterDesc || !size) return CUDNN_STATUS_BAD_PARAM;
  size_t elements = filterDesc->dims > 0 ? 1 : 0;
  for (int i = 0; i < filterDesc->dims; ++i) elements *= static_cast<size_t>(filterDesc->size[i]);
  *size = elements * element_bytes(filterDesc->type);
  return CUDNN_STATUS_SUCCESS;
}

}  // extern "C"
