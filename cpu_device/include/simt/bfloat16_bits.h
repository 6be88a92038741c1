// SPDX-License-Identifier: MIT
// The 16 bits of a bfloat16, which are the upper ones of a float.
#pragma once

#include <cstring>

#include "simt/attributes.h"

namespace convkit::simt {

static inline unsigned short bfloat16_bits(float value) {
  unsigned bits;
  memcpy(&bits, &value, sizeof bits);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
  return static_cast<unsigned short>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
// Rounded once: a float that was rounded towards zero, its last bit set where digits were lost.
static inline unsigned short bfloat16_bits(double value) {
  float cut = static_cast<float>(value);
  if (static_cast<double>(cut) != value && value == value && cut - cut == 0) {
    unsigned bits;
    memcpy(&bits, &cut, sizeof bits);
    const bool beyond = (static_cast<double>(cut) > value) == (value > 0);
    if (beyond) --bits;
    bits |= 1u;
    memcpy(&cut, &bits, sizeof bits);
  }
  return bfloat16_bits(cut);
}

// The sum, cut, with its last bit set where digits were lost: rounding it again, to fewer digits,
// is rounding once.
static inline double sum_to_odd(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  const double lost = (a - (sum - part)) + (b - part);
  if (!(lost != 0) || lost - lost != 0) return sum;
  unsigned long long bits;
  memcpy(&bits, &sum, sizeof bits);
  if ((lost > 0) != (sum > 0)) --bits;
  bits |= 1;
  double odd;
  memcpy(&odd, &bits, sizeof odd);
  return odd;
}

}  // namespace convkit::simt
