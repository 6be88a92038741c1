// SPDX-License-Identifier: MIT
// CUDA C++ to C++ for the CPU device. An exception says which property does not hold.
#include "cpu_device/rewrite/tests/fuzz_property.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  convkit::rewrite::test::check_properties(convkit::fuzz::text_of(data, size));
  return 0;
}
