// SPDX-License-Identifier: MIT
// Arithmetic of f16 and bf16, alone or in pairs, on their bits: each result is computed in double
// and rounded once.
#pragma once

#include "simt/bfloat16_bits.h"
#include "simt/half_bits.h"
#include "simt/ptx/program.h"

namespace convkit::simt::ptx {

constexpr bool is_bfloat16(Type type) {
  return type == Type::bf16 || type == Type::bf16x2;
}
constexpr bool is_pair_of_halves(Type type) {
  return type == Type::f16x2 || type == Type::bf16x2;
}

template <Type type>
static inline double half_number(unsigned bits) {
  if constexpr (is_bfloat16(type)) {
    return static_cast<double>(bits_as<float>(bits << 16));
  } else {
    return static_cast<double>(float_from_half_bits(static_cast<unsigned short>(bits)));
  }
}

template <Type type, Rounding mode = Rounding::kNearest>
static inline unsigned half_of(double number) {
  if constexpr (!is_bfloat16(type)) {
    return half_bits_from_double<mode>(number);
  } else if constexpr (mode == Rounding::kNearest) {
    return bfloat16_bits(number);
  } else {
    return number != number ? 0x7fffu : bits_as<unsigned>(static_cast<float>(number)) >> 16;
  }
}

// compute(a, b, ...) of numbers, for the halves of each word.
template <Type type, class Compute, class... Word>
static inline unsigned each_half(const Compute& compute, Word... words) {
  const unsigned low = half_of<type>(compute(half_number<type>(words & 0xffffu)...));
  if constexpr (!is_pair_of_halves(type)) {
    return low;
  } else {
    return low | half_of<type>(compute(half_number<type>(words >> 16)...)) << 16;
  }
}

}  // namespace convkit::simt::ptx
