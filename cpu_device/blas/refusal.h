// SPDX-License-Identifier: MIT
// Why a call of cuBLAS was refused, with the names that cuBLAS's documentation gives its arguments.
#pragma once

#include <initializer_list>
#include <string>

#include "cpu_device/blas/handle.h"
#include "cpu_device/engine/refusal.h"

namespace convkit::simt::blas {

using simt::said;

class Refusal : public RefusalOf<cublasStatus_t, CONVKIT_SIMT_CUBLAS> {
 public:
  using RefusalOf::RefusalOf;

  bool invalid(const std::string& sentence) { return with(CUBLAS_STATUS_INVALID_VALUE, sentence); }
  bool no_handle(cublasHandle_t handle) {  // NOT_INITIALIZED
    return !is_alive(handle) &&
           with(CUBLAS_STATUS_NOT_INITIALIZED,
                handle ? "handle was not made by cublasCreate, or has been destroyed"
                       : "handle is null");
  }
  bool null(std::initializer_list<NamedPointer> pointers) {
    for (const NamedPointer& each : pointers) {
      if (!each.pointer) return invalid(said(each.argument, " is null"));
    }
    return false;
  }
};

}  // namespace convkit::simt::blas
