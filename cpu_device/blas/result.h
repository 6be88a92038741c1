// SPDX-License-Identifier: MIT
// Calls that give one number: to the host, which then waits, or to device memory.
#pragma once

#include "cpu_device/blas/arguments.h"
#include "simt/runtime_api.h"

namespace convkit::simt::blas {

// compute(call, value) runs as an operation; it returns false after it has reported why there is no
// value.
template <class R, class Compute>
cublasStatus_t give_result(const LibraryCall& call, const cublasContext& handle, R* result,
                           const Compute& compute) {
  Refusal refusal(call.name);
  if (refusal.null({{"result", result}})) return refusal.status();
  if (handle.pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {
    return status_of(call, enqueue(handle.stream, [=] {
                       Operand operand = vector("result", result, 1, 1, Use::write);
                       operand.remark = ", whose handle's pointer mode is device";
                       R value{};
                       if (compute(call, value) && may_use(call, operand)) *result = value;
                     }));
  }
  if (!is_host_memory(call, "result", result, ", whose handle's pointer mode is host")) {
    refusal.with(CUBLAS_STATUS_EXECUTION_FAILED,
                 "result is a device pointer, and the handle's pointer mode is "
                 "CUBLAS_POINTER_MODE_HOST");
    return refusal.status();
  }
  const cudaError_t error = enqueue(handle.stream, [=] { compute(call, *result); });
  return status_of(call, error != cudaSuccess ? error : cudaStreamSynchronize(handle.stream));
}

}  // namespace convkit::simt::blas
