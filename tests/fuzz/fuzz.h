// SPDX-License-Identifier: MIT
// What all targets share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>

// Called with each input; anything but a return is a finding.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace convkit::fuzz {

inline std::string text_of(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Binary inputs begin with a byte that chooses a limit, 2 to the power of its lowest 5 bits (at
// most 2^20). It also keeps archives that begin like archives out of the tree.
struct Limited {
  uint64_t limit = 0;
  unsigned flags = 0;  // the other 3 bits
  std::span<const uint8_t> rest;
};
inline Limited limited(const uint8_t* data, size_t size) {
  if (size == 0) return {};
  const unsigned power = data[0] & 31u;
  return {uint64_t{1} << (power > 20 ? 20 : power), data[0] / 32u, {data + 1, size - 1}};
}

// A promise of the reader that must hold for every input.
inline void require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

// What() of a refusal is a sentence.
inline void require_sentence(const std::string& what) {
  require(what.ends_with('.'), "a refusal is a sentence");
}

}  // namespace convkit::fuzz
