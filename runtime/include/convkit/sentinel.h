// SPDX-License-Identifier: MIT
// The bit pattern that fills every output before student code runs.
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

}  // namespace convkit
