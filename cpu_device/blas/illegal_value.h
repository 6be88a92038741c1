// SPDX-License-Identifier: MIT
// Wrong arguments, which cuBLAS reports as BLAS does: it prints the number of the first one. The
// handle is not counted, nor are the distances of batches.
#pragma once

#include <initializer_list>
#include <string>

#include "cpu_device/blas/refusal.h"
#include "simt/cublas_types.h"

namespace convkit::simt::blas {

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
