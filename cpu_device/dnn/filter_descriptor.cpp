// SPDX-License-Identifier: MIT
// Descriptors of filters: the first dimension is that of the results, the second of the inputs.
#include <algorithm>

#include "cpu_device/dnn/alive.h"
#include "cpu_device/dnn/descriptors.h"
#include "cpu_device/dnn/refusal.h"

using namespace convkit::simt::dnn;

namespace {

// `names`: one for each dimension, or one array.
cudnnStatus_t set(const char* call, const char* const (&names)[4],
                  cudnnFilterDescriptor_t filterDesc, cudnnDataType_t dataType,
                  cudnnTensorFormat_t format, int nbDims, const int size[]) {
  Refusal refusal(call);
  if (refusal.null({{"filterDesc", filterDesc}, {names[0], size}}) ||
      refusal.unknown_type("dataType", dataType) || refusal.unknown_format("format", format) ||
      (nbDims < 3 &&
       refusal.wrong_number("nbDims", nbDims, "a filter has at least 3 dimensions")) ||
      (nbDims > CUDNN_DIM_MAX &&
       refusal.not_supported(
           said("nbDims is ", nbDims, "; at most ", CUDNN_DIM_MAX, " dimensions are supported")))) {
    return refusal.status();
  }
  for (int i = 0; i < nbDims; ++i) {
    if (size[i] > 0) continue;
    refusal.bad_param(said(names[1] ? std::string(names[i]) : said(names[0], "[", i, "]"), " is ",
                           size[i], "; every dimension must be at least 1"));
    return refusal.status();
  }
  filterDesc->type = dataType;
  filterDesc->format = format;
  filterDesc->dims = nbDims;
  std::copy_n(size, nbDims, filterDesc->size);
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace

extern "C" {

cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t* filterDesc) {
  Refusal refusal("cudnnCreateFilterDescriptor");
  if (refusal.null({{"filterDesc", filterDesc}})) return refusal.status();
  *filterDesc = new cudnnFilterStruct;
  note_created(filterDesc, "filter descriptor",
               convkit::simt::library_call("cudnnCreateFilterDescriptor"));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t filterDesc) {
  return destroy("cudnnDestroyFilterDescriptor", "filterDesc", filterDesc);
}

cudnnStatus_t cudnnSetFilterNdDescriptor(cudnnFilterDescriptor_t filterDesc,
                                         cudnnDataType_t dataType, cudnnTensorFormat_t format,
                                         int nbDims, const int filterDimA[]) {
  return set("cudnnSetFilterNdDescriptor", {"filterDimA"}, filterDesc, dataType, format, nbDims,
             filterDimA);
}

cudnnStatus_t cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t filterDesc,
                                         cudnnDataType_t dataType, cudnnTensorFormat_t format,
                                         int k, int c, int h, int w) {
  const int size[] = {k, c, h, w};
  return set("cudnnSetFilter4dDescriptor", {"k", "c", "h", "w"}, filterDesc, dataType, format, 4,
             size);
}

cudnnStatus_t cudnnGetFilter4dDescriptor(const cudnnFilterDescriptor_t filterDesc,
                                         cudnnDataType_t* dataType, cudnnTensorFormat_t* format,
                                         int* k, int* c, int* h, int* w) {
  Refusal refusal("cudnnGetFilter4dDescriptor");
  if (refusal.null({{"filterDesc", filterDesc},
                    {"dataType", dataType},
                    {"format", format},
                    {"k", k},
                    {"c", c},
                    {"h", h},
                    {"w", w}})) {
    return refusal.status();
  }
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
  Refusal refusal("cudnnGetFilterNdDescriptor");
  if (refusal.null({{"filterDesc", filterDesc},
                    {"dataType", dataType},
                    {"format", format},
                    {"nbDims", nbDims},
                    {"filterDimA", filterDimA}})) {
    return refusal.status();
  }
  *dataType = filterDesc->type;
  *format = filterDesc->format;
  *nbDims = filterDesc->dims;
  std::copy_n(filterDesc->size, std::max(0, std::min(nbDimsRequested, filterDesc->dims)),
              filterDimA);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetFilterSizeInBytes(const cudnnFilterDescriptor_t filterDesc, size_t* size) {
  Refusal refusal("cudnnGetFilterSizeInBytes");
  if (refusal.null({{"filterDesc", filterDesc}, {"size", size}})) return refusal.status();
  size_t elements = filterDesc->dims > 0 ? 1 : 0;
  for (int i = 0; i < filterDesc->dims; ++i) elements *= static_cast<size_t>(filterDesc->size[i]);
  *size = elements * element_bytes(filterDesc->type);
  return CUDNN_STATUS_SUCCESS;
}

}  // extern "C"
