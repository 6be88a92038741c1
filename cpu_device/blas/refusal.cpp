// SPDX-License-Identifier: MIT
#include "cpu_device/blas/refusal.h"

#include <cstdio>

namespace convkit::simt::blas {

bool any_illegal(Refusal& refusal, const char* routine,
                 std::initializer_list<Parameter> parameters) {
  for (const auto& [number, is_right, argument, value, rule] : parameters) {
    if (is_right) continue;
    if (routine) {
      std::printf(" ** On entry to %-6s parameter number %d had an illegal value\n", routine,
                  number);
    }
    return refusal.invalid(said(argument, " is ", value, "; ", rule));
  }
  return false;
}

}  // namespace convkit::simt::blas
