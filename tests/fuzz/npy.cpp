// SPDX-License-Identifier: MIT
#include "convkit/npy.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace convkit;
  const fuzz::Limited input = fuzz::limited(data, size);
  try {
    const NpyArray array = parse_npy(std::as_bytes(input.rest), "f.npy", input.limit);
    require_size(array.dims, array.dtype, array.bytes.size());  // or std::invalid_argument
    fuzz::require(array.bytes.size() <= input.limit, "the limit holds");
  } catch (const FormatError& error) {
    fuzz::require_sentence(error.what());
  }
  return 0;
}
