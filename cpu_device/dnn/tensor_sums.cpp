// SPDX-License-Identifier: MIT
// Sums and products of whole tensors.
#include "cpu_device/dnn/float_copies.h"
#include "cpu_device/dnn/places.h"
#include "cpu_device/dnn/refusal.h"
#include "cpu_device/dnn/rows.h"

namespace convkit::simt::dnn {
namespace {

// A call with one factor from the host that changes every element of y.
template <class Change>
cudnnStatus_t change(const char* name, cudnnHandle_t handle, cudnnTensorDescriptor_t tensor,
                     void* y, const char* argument, const void* factor, Use use,
                     const Change& change_one) {
  Refusal refusal(name);
  if (refusal.no_handle(handle) ||
      refusal.null({{"yDesc", tensor}, {"y", y}, {argument, factor}}) ||
      refusal.not_computed("yDesc", *tensor)) {
    return refusal.status();
  }
  const LibraryCall call = library_call(name);
  if (!is_read_on_host(call, argument, factor)) return CUDNN_STATUS_EXECUTION_FAILED;
  return enqueue_on(call, handle, [=, to = *tensor, value = *static_cast<const float*>(factor)] {
    if (!may_use(call, "y", y, to, use)) return;
    FloatResult result(y, to, use != Use::write);
    float* all = result.data();
    rows_of(to).visit([&](const auto& begin, const auto& step, int64_t count) {
      for_row(begin, step, count, [&](const auto& at) { change_one(all[at[0]], value); });
    });
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
  Refusal refusal("cudnnAddTensor");
  if (refusal.no_handle(handle) ||
      refusal.null({{"alpha", alpha},
                    {"aDesc", aDesc},
                    {"A", A},
                    {"beta", beta},
                    {"cDesc", cDesc},
                    {"C", C}}) ||
      refusal.never_set("aDesc", *aDesc) ||
      refusal.cannot_spread("aDesc", *aDesc, "cDesc", *cDesc) ||
      refusal.types_differ("cDesc", cDesc->type, "aDesc", aDesc->type) ||
      refusal.not_computed("aDesc", *aDesc) || refusal.not_computed("cDesc", *cDesc)) {
    return refusal.status();
  }
  const auto call = convkit::simt::library_call("cudnnAddTensor");
  Factors factors;
  if (!take(call, alpha, beta, factors)) return CUDNN_STATUS_EXECUTION_FAILED;
  return enqueue_on(call, handle, [=, from = *aDesc, to = *cDesc] {
    if (!may_use(call, "A", A, from, Use::read) ||
        !may_use(call, "C", C, to, result_use(factors.beta))) {
      return;
    }
    const FloatInput added(A, from);
    FloatResult result(C, to, factors.beta != 0);
    const float* values = added.data();
    blend_rows(rows_of(to, from), factors, result.data(),
               [=](const auto& at) { return values[at[1]]; });
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
