// SPDX-License-Identifier: MIT
// Sums and products of whole tensors.
#include "simt/dnn/arguments.h"
#include "simt/dnn/places.h"

namespace convkit::simt::dnn {
namespace {

// A call with one factor from the host that changes every element of y.
template <class Change>
cudnnStatus_t change(const char* name, cudnnHandle_t handle, cudnnTensorDescriptor_t tensor,
                     void* y, const char* argument, const void* factor, Use use,
                     const Change& change_one) {
  if (!is_alive(handle) || !tensor || !y || !factor) return CUDNN_STATUS_BAD_PARAM;
  if (tensor->type != CUDNN_DATA_FLOAT) return CUDNN_STATUS_NOT_SUPPORTED;
  const LibraryCall call = library_call(name);
  if (!is_host_memory(call, argument, factor, ", which is read on the host")) {
    return CUDNN_STATUS_EXECUTION_FAILED;
  }
  return enqueue_on(handle, [=, to = *tensor, value = *static_cast<const float*>(factor)] {
    if (!may_use(call, "y", y, to, use)) return;
    for_each_place(
        to, [&](const int*, int64_t place) { change_one(static_cast<float*>(y)[place], value); });
  });
}

}  // namespace
}  // namespace convkit::simt::dnn

using namespace convkit::simt::dnn;

extern "C" {

// C = alpha * A + beta * C; where A has size 1, it is used for all of C.
cudnnStatus_t cudnnAddTensor(cudnnHandle_t handle, const void* alpha,
                             const cudnnTensorDescriptor_t aDesc, const void* A, const void* beta,
                             const cudnnTensorDescriptor_t cDesc, void* C) {
  if (!is_alive(handle) || !alpha || !aDesc || !A || !beta || !cDesc || !C ||
      aDesc->dims != cDesc->dims || aDesc->dims == 0 || aDesc->type != cDesc->type) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  if (!can_spread(*aDesc, *cDesc)) return CUDNN_STATUS_BAD_PARAM;
  if (aDesc->type != CUDNN_DATA_FLOAT) return CUDNN_STATUS_NOT_SUPPORTED;
  const auto call = convkit::simt::library_call("cudnnAddTensor");
  Factors factors;
  if (!take(call, alpha, beta, factors)) return CUDNN_STATUS_EXECUTION_FAILED;
  return enqueue_on(handle, [=, from = *aDesc, to = *cDesc] {
    if (!may_use(call, "A", A, from, Use::read) ||
        !may_use(call, "C", C, to, result_use(factors.beta))) {
      return;
    }
    const cudnnTensorStruct spread = spread_over(from);
    for_each_place(to, [&](const int* position, int64_t place) {
      blend(factors.alpha, static_cast<const float*>(A)[place_of(spread, position)], factors.beta,
            static_cast<float*>(C)[place]);
    });
  });
}

cudnnStatus_t cudnnSetTensor(cudnnHandle_t handle, const cudnnTensorDescriptor_t yDesc, void* y,
                             const void* valuePtr) {
  return change("cudnnSetTensor", handle, yDesc, y, "valuePtr", valuePtr, Use::write,
                [](float& element, float value) { element = value; });
}

cudnnStatus_t cudnnScaleTensor(cudnnHandle_t handle, const cudnnTensorDescriptor_t yDesc, void* y,
                               const void* alpha) {
  return change("cudnnScaleTensor", handle, yDesc, y, "alpha", alpha, Use::update,
                [](float& element, float value) { element *= value; });
}

}  // extern "C"
