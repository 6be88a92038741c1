// SPDX-License-Identifier: MIT
// Why a call of cuBLAS was refused, with the names that cuBLAS's documentation gives its arguments.
#pragma once

#include <initializer_list>
#include <string>

#include "cpu_device/blas/handle.h"
#include "cpu_device/engine/refusal.h"
#include "simt/cublas_types.h"

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

// Wrong arguments, which cuBLAS reports as BLAS does: it prints the number of the first one. The
// handle is not counted, nor are the distances of batches.

// A function's name, and its name in that line. Without the latter nothing is printed.
struct Names {
  const char* call;               // "cublasSgemm"
  const char* routine = nullptr;  // "SGEMM"
};

struct Parameter {
  int number;
  bool is_right;
  const char* argument;  // "ldb"
  int64_t value;
  std::string rule;  // "it must be at least 5, the rows of B"
};

inline std::string at_least(int64_t least, const char* what) {
  return said("it must be at least ", least, ", ", what);
}

// Whether the call is refused: the first wrong one is printed, on stdout, and remembered.
bool any_illegal(Refusal& refusal, const char* routine,
                 std::initializer_list<Parameter> parameters);

}  // namespace convkit::simt::blas
