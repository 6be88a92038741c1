// SPDX-License-Identifier: MIT
// What a refused call of the runtime says.
#pragma once

#include <string>

#include "catch.h"
#include "cpu_device/engine/refusal.h"
#include "simt/runtime_api.h"

namespace convkit::simt::test {

// Forgets it and the error.
inline std::string why(cudaError_t error, cudaError_t expected = cudaErrorInvalidValue) {
  CHECK(error == expected);
  std::string text = convkit_simt_why_refused(CONVKIT_SIMT_RUNTIME, error);
  convkit_simt_forget_refusal();
  cudaGetLastError();
  return text;
}

}  // namespace convkit::simt::test
