// SPDX-License-Identifier: MIT
// The verdict on one element.
#pragma once

#include <cmath>
#include <cstdint>

#include "convkit/sentinel.h"

namespace convkit {

// Ordered by what a reader should hear first.
enum class Verdict : uint8_t { right, wrong, nan, from_unwritten, unwritten };

// What the bits of a float output say. Bits, not values: converting a signalling NaN quiets it,
// and the difference between the two is the difference between "not written" and "added to".
inline bool is_unwritten(uint32_t bits) {
  return bits == kSentinelBits;
}
inline bool is_from_unwritten(uint32_t bits) {
  return (bits & 0x7fffffffu) == kQuietedSentinelBits;  // negation flips only the sign
}

// `got` is the value that `bits` stand for.
inline Verdict judge(uint32_t bits, double got, double expected, double allowed) {
  if (is_unwritten(bits)) return Verdict::unwritten;
  if (is_from_unwritten(bits)) return Verdict::from_unwritten;
  if (std::isnan(expected)) return std::isnan(got) ? Verdict::right : Verdict::wrong;
  if (std::isnan(got)) return Verdict::nan;
  if (got == expected) return Verdict::right;  // also equal infinities, whose difference is NaN
  // An infinite bound must not let an infinity pass for a number.
  if (std::isinf(got) || std::isinf(expected)) return Verdict::wrong;
  return std::fabs(got - expected) <= allowed ? Verdict::right : Verdict::wrong;
}

}  // namespace convkit
