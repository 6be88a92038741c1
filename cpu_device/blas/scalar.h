// SPDX-License-Identifier: MIT
// A factor such as alpha: read at the call where the pointer mode is host, and by the operation
// where it is device.
#pragma once

#include "cpu_device/blas/handle.h"
#include "cpu_device/blas/refusal.h"
#include "cpu_device/engine/library_call.h"

namespace convkit::simt::blas {

template <class T>
class Scalar {
 public:
  // False: a device pointer where a host pointer should be, which was told.
  bool take(const LibraryCall& call, const cublasContext& handle, const char* argument,
            const void* pointer) {
    argument_ = argument;
    if (handle.pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {
      device_ = static_cast<const T*>(pointer);
      return true;
    }
    if (!is_host_memory(call, argument, pointer, ", whose handle's pointer mode is host")) {
      Refusal(call.name).with(CUBLAS_STATUS_EXECUTION_FAILED,
                              said(argument, " is a device pointer, and the handle's pointer mode ",
                                   "is CUBLAS_POINTER_MODE_HOST"));
      return false;
    }
    value_ = *static_cast<const T*>(pointer);
    return true;
  }

  // In the operation. False: the pointer leads nowhere, which was told.
  bool read(const LibraryCall& call, T& value) const {
    value = value_;
    if (!device_) return true;
    Operand operand;
    operand.argument = argument_;
    operand.begin = device_;
    operand.element_bytes = sizeof(T);
    operand.reads = true;
    operand.remark = ", whose handle's pointer mode is device";
    if (!may_use(call, operand)) return false;
    value = *device_;
    return true;
  }

 private:
  const char* argument_ = "";
  const T* device_ = nullptr;
  T value_{};
};

}  // namespace convkit::simt::blas
