// SPDX-License-Identifier: MIT
// The bit patterns that fill every output, and the memory that a function is lent as its workspace,
// before student code runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace convkit {

// A signalling NaN with a payload no computation produces. Its exact bits in an output mean that
// nothing was written there. Arithmetic on it (y[i] += v on an output never set) quiets it and
// keeps the payload on x86-64 and arm64, so the second pattern gives accumulation away.
inline constexpr uint32_t kSentinelBits = 0x7fa0c04bu;
inline constexpr uint32_t kQuietedSentinelBits = 0x7fe0c04bu;

// Fills `bytes` bytes (a multiple of 4) with the sentinel.
inline void fill_sentinel(void* memory, size_t bytes) {
  auto* word = static_cast<unsigned char*>(memory);
  for (size_t i = 0; i + sizeof kSentinelBits <= bytes; i += sizeof kSentinelBits) {
    std::memcpy(word + i, &kSentinelBits, sizeof kSentinelBits);
  }
}

// A signalling NaN with a payload of its own, for workspaces. Arithmetic quiets it
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
