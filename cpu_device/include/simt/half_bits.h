// SPDX-License-Identifier: MIT
// The 16 bits of a half: to double and float exactly, and back in each rounding mode. Only integer
// operations, so the results do not depend on what the processor or compiler makes of _Float16.
#pragma once

#include "simt/rounding.h"

namespace convkit::simt {

constexpr unsigned short kHalfInfinity = 0x7c00;
constexpr unsigned short kHalfNan = 0x7fff;
constexpr unsigned short kHalfLargest = 0x7bff;

static inline bool half_bits_are_nan(unsigned short bits) {
  return (bits & 0x7fff) > kHalfInfinity;
}

// All NaNs become the GPU's own.
static inline float float_from_half_bits(unsigned short bits) {
  const unsigned sign = static_cast<unsigned>(bits & 0x8000) << 16;
  const unsigned size = bits & 0x7fffu;
  if (size > kHalfInfinity) return bits_as<float>(0x7fffffffu);
  if (size == kHalfInfinity) return bits_as<float>(sign | 0x7f800000u);
  if (size >= 0x400) return bits_as<float>(sign | ((size << 13) + (112u << 23)));  // 112 = 127 - 15
  const float subnormal = static_cast<float>(size) * 0x1p-24f;
  return bits_as<float>(sign | bits_as<unsigned>(subnormal));
}

// Whether a value cut to `size` must go up by one unit: `rest` is what was cut off, `middle` half a
// unit of the same.
template <Rounding mode>
static inline bool rounds_up(bool negative, unsigned size, unsigned long long rest,
                             unsigned long long middle) {
  if (mode == Rounding::kNearest) return rest > middle || (rest == middle && (size & 1) != 0);
  if (mode == Rounding::kUp) return rest != 0 && !negative;
  if (mode == Rounding::kDown) return rest != 0 && negative;
  return false;
}

template <Rounding mode>
static inline unsigned short half_bits_from_double(double value) {
  const unsigned long long bits = bits_as<unsigned long long>(value);
  const bool negative = bits >> 63 != 0;
  const unsigned sign = negative ? 0x8000 : 0;
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  const unsigned long long fraction = bits & 0xfffffffffffffull;
  if (exponent == 1024) {
    return fraction != 0 ? kHalfNan : static_cast<unsigned short>(sign | kHalfInfinity);
  }
  if (exponent > 15) {  // beyond the largest half
    const bool to_infinity = rounds_up<mode>(negative, 1, 3, 2);
    return static_cast<unsigned short>(sign | (to_infinity ? kHalfInfinity : kHalfLargest));
  }
  if (exponent < -25) {  // below half of the smallest half
    const bool to_smallest = bits << 1 != 0 && rounds_up<mode>(negative, 0, 1, 2);
    return static_cast<unsigned short>(sign | (to_smallest ? 1 : 0));
  }
  // Subnormal halves keep fewer of the 53 digits.
  const unsigned long long digits = fraction | 1ull << 52;
  const int cut = exponent >= -14 ? 42 : 42 - 14 - exponent;
  unsigned size = static_cast<unsigned>(digits >> cut);
  if (exponent >= -14) size += static_cast<unsigned>(exponent + 14) << 10;
  const unsigned long long rest = digits & ((1ull << cut) - 1);
  if (rounds_up<mode>(negative, size, rest, 1ull << (cut - 1))) ++size;  // may carry to infinity
  return static_cast<unsigned short>(sign | size);
}

}  // namespace convkit::simt
