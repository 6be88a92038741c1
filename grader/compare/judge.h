// SPDX-License-Identifier: MIT
// One element of an output: right, or wrong in which way.
#pragma once

#include <cmath>
#include <cstdint>

#include "convkit/sentinel.h"

namespace convkit {

// Ordered by what a reader should hear first.
enum class ElementState : uint8_t { right, wrong, nan, from_unwritten, unwritten };

// What the bits of a float output mean. It takes bits, not values: converting a signalling NaN
// quiets it, and the difference between the two tells "not written" from "added to".
inline bool is_unwritten(uint32_t bits) {
  return bits == kSentinelBits;
}
inline bool is_from_unwritten(uint32_t bits) {
  return (bits & 0x7fffffffu) == kQuietedSentinelBits;  // negation flips only the sign
}

// `got` is the value of `bits`.
inline ElementState judge(uint32_t bits, double got, double expected, double allowed) {
  if (is_unwritten(bits)) return ElementState::unwritten;
  if (is_from_unwritten(bits)) return ElementState::from_unwritten;
  if (std::isnan(expected)) return std::isnan(got) ? ElementState::right : ElementState::wrong;
  if (std::isnan(got)) return ElementState::nan;
  // Also equal infinities, whose difference is NaN.
  if (got == expected) return ElementState::right;
  // An infinite bound must not let an infinity pass for a number.
  if (std::isinf(got) || std::isinf(expected)) return ElementState::wrong;
  return std::fabs(got - expected) <= allowed ? ElementState::right : ElementState::wrong;
}

}  // namespace convkit
