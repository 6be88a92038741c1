// SPDX-License-Identifier: MIT
// cvt of PTX.
#pragma once

#include "simt/ptx/arithmetic.h"

namespace convkit::simt::ptx {

// To the 10 bits behind the point that TF32 has: to nearest, ties away from zero (.rna) or to even.
template <class S>
static __forceinline__ unsigned tf32_of(float value) {
  const unsigned bits = bits_as<unsigned>(value), size = bits & 0x7fffffffu;
  if (size > 0x7f800000u) return 0x7fffffffu;
  if constexpr (S::has("rz")) return bits & 0xffffe000u;
  const unsigned up = S::has("rna") ? 0x1000u : 0xfffu + (bits >> 13 & 1);
  return (bits + up) & 0xffffe000u;
}

template <class S, Type to, class From>
static __forceinline__ Stored<to> to_real(From value) {
  constexpr Rounding mode = rounding<S>();
  constexpr bool integral = has_one_of(S::kInstruction, "rni rzi rmi rpi");
  if constexpr (std::is_integral_v<From>) {
    return from_integer<Stored<to>, mode>(value);
  } else if constexpr (integral) {
    return finished<S>(static_cast<Stored<to>>(to_integral<mode>(static_cast<double>(value))));
  } else if constexpr (std::is_same_v<From, double> && to == Type::f32) {
    return finished<S>(to_float<mode>(value));
  } else {
    return finished<S>(static_cast<Stored<to>>(value));
  }
}

// A number to one of type `to`, as Stored<to>.
template <class S, Type to, class From>
static __forceinline__ auto converted(From value) {
  constexpr Rounding mode = rounding<S>();
  if constexpr (to == Type::tf32) {
    return tf32_of<S>(static_cast<float>(value));
  } else if constexpr (is_half(to)) {
    double number = static_cast<double>(value);
    if constexpr (has_one_of(S::kInstruction, "rni rzi rmi rpi"))
      number = to_integral<mode>(number);
    return static_cast<unsigned short>(half_of<to, mode>(finished<S>(number)));
  } else if constexpr (is_float(to)) {
    return to_real<S, to>(value);
  } else if constexpr (std::is_floating_point_v<From>) {
    return to_integer<Stored<to>, mode, std::is_same_v<From, double>>(static_cast<double>(value));
  } else {
    return integer_of<S, Stored<to>>(Exact{value});
  }
}

template <class S>
static __forceinline__ void convert(Bits* v) {
  constexpr Type to = S::kInstruction.types[0], from = S::kInstruction.types[1];
  if constexpr (is_pair_of_halves(to)) {
    const unsigned high = converted<S, to>(number<S, float, 1>(v));
    S::template set<0>(v, high << 16 | converted<S, to>(number<S, float, 2>(v)));
  } else if constexpr (is_half(from)) {
    const auto value = half_number<from>(S::template get<unsigned, 1>(v) & 0xffffu);
    S::template set<0>(v, converted<S, to>(static_cast<float>(value)));
  } else {
    S::template set<0>(v, converted<S, to>(number<S, Stored<from>, 1>(v)));
  }
}

}  // namespace convkit::simt::ptx
