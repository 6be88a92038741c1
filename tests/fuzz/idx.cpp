// SPDX-License-Identifier: MIT
// IDX files, plain and compressed by gzip.
#include "convkit/idx.h"

#include "convkit/checked_size.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace convkit;
  const fuzz::Limited input = fuzz::limited(data, size);
  try {
    const IdxArray array = parse_idx(std::as_bytes(input.rest), "f", input.limit);
    fuzz::require(!array.dims.empty() && array.dims.size() <= 8, "1 to 8 dimensions");
    fuzz::require(checked_product(array.dims) == static_cast<int64_t>(array.bytes.size()),
                  "as many bytes as the dimensions say");
    fuzz::require(array.bytes.size() <= input.limit, "the limit holds");
  } catch (const FormatError& error) {
    fuzz::require_sentence(error.what());
  }
  return 0;
}
