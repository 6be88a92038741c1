// SPDX-License-Identifier: MIT
// The kernel of device_values.cu, called as a function, gives what it gave on a GPU.
#include <fstream>
#include <string>

#include "catch.h"
#include "cuda_runtime.h"

#define CONVKIT_DEVICE_VALUES_WITHOUT_MAIN
#include "device_values.cu"

extern __thread uint3 convkit_simt_thread_idx, convkit_simt_block_idx;
extern __thread dim3 convkit_simt_block_dim;

namespace convkit {
namespace {

TEST_CASE("intrinsics give the bits that an NVIDIA H200 gave") {
  std::ifstream expected(CONVKIT_SOURCE_DIR "/cpu_device/tests/headers/device_values.expected");
  std::vector<unsigned long long> results(kInputs);
  convkit_simt_block_dim = dim3(1);
  convkit_simt_thread_idx = uint3{0, 0, 0};
  for (int expression = 0; expression < kExpressions; ++expression) {
    for (unsigned input = 0; input < kInputs; ++input) {
      convkit_simt_block_idx = uint3{input, 0, 0};
      evaluate(expression, results.data());
    }
    char got[200];
    std::snprintf(got, sizeof got, "%016llx %s", sum_of(results), kNames[expression]);
    std::string line;
    REQUIRE(std::getline(expected, line));
#ifdef __clang__  // computes fminf() itself, which leaves signs of zero open
    if (std::string(kNames[expression]) == "fminf(a, b)") continue;
#endif
    CHECK(got == line);
  }
  std::string rest;
  CHECK_FALSE(std::getline(expected, rest));
}

}  // namespace
}  // namespace convkit
