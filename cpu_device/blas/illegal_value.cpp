// SPDX-License-Identifier: MIT
#include "cpu_device/blas/illegal_value.h"

#include <cstdio>

namespace convkit::simt::blas {

cublasStatus_t illegal_value(const char* routine, int number) {
  std::printf(" ** On entry to %-6s parameter number %d had an illegal value\n", routine, number);
  return CUBLAS_STATUS_INVALID_VALUE;
}

}  // namespace convkit::simt::blas
