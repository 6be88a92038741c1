// SPDX-License-Identifier: MIT
// The bit pattern of memory that a function is lent and nobody has set: its workspace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace convkit {

// A signalling NaN with a payload of its own, as sentinel.h has for outputs. Arithmetic quiets it
// and keeps the payload on x86-64 and arm64, so an output tells that it was computed from it.
inline constexpr uint32_t kScratchBits = 0x7fa05c8au;
inline constexpr uint32_t kQuietedScratchBits = 0x7fe05c8au;

// Fills `bytes` bytes; a rest of less than 4 stays as it is.
inline void fill_scratch(void* memory, size_t bytes) {
  auto* word = static_cast<unsigned char*>(memory);
  for (size_t i = 0; i + sizeof kScratchBits <= bytes; i += sizeof kScratchBits) {
    std::memcpy(word + i, &kScratchBits, sizeof kScratchBits);
  }
}

}  // namespace convkit
