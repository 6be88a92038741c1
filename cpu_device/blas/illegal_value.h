// SPDX-License-Identifier: MIT
// What cuBLAS prints about a wrong argument, as BLAS does: the number of the first one. The handle
// is not counted, nor are the distances of batches.
#pragma once

#include <initializer_list>

#include "simt/cublas_types.h"

namespace convkit::simt::blas {

// A function's name, and its name in that line.
struct Names {
  const char* call;     // "cublasSgemm"
  const char* routine;  // "SGEMM"
};

struct Parameter {
  int number;
  bool is_right;
};

// 0: all are right.
inline int first_wrong(std::initializer_list<Parameter> parameters) {
  for (const Parameter& parameter : parameters) {
    if (!parameter.is_right) return parameter.number;
  }
  return 0;
}

// Prints the line, on stdout, and gives the status.
cublasStatus_t illegal_value(const char* routine, int number);

}  // namespace convkit::simt::blas
