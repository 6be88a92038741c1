// SPDX-License-Identifier: MIT
// PTX arithmetic of numbers: add, mul, mad, fma, min, rcp, ... Approximations are as exact as the C
// library, as those of the headers are.
#pragma once

#include <cmath>
#include <limits>

#include "simt/casts.h"
#include "simt/integer_intrinsics.h"
#include "simt/ptx/halves.h"
#include "simt/ptx/registers.h"
#include "simt/rounded_double.h"
#include "simt/rounded_float.h"

namespace convkit::simt::ptx {

template <class S>
constexpr Rounding rounding() {
  if (S::has("rz") || S::has("rzi")) return Rounding::kZero;
  if (S::has("rp") || S::has("rpi")) return Rounding::kUp;
  if (S::has("rm") || S::has("rmi")) return Rounding::kDown;
  return Rounding::kNearest;
}

// .ftz: numbers too small for a normal float become zero, with their sign.
template <class S, class T>
static __forceinline__ T flushed(T value) {
  if constexpr (S::has("ftz") && std::is_same_v<T, float>) {
    if (__builtin_fabsf(value) < std::numeric_limits<float>::min()) {
      return __builtin_copysignf(0.0f, value);
    }
  }
  return value;
}

// .sat of a real number: into 0 to 1, NaN to 0.
template <class S, class T>
static __forceinline__ T finished(T value) {
  value = flushed<S>(value);
  if constexpr (S::has("sat")) {
    if (!(value > 0)) return 0;
    if (value > 1) return 1;
  }
  return value;
}

template <class S, class T, int operand>
static __forceinline__ T number(const Bits* v) {
  return flushed<S>(S::template get<T, operand>(v));
}

// Wide enough for sums and products of the integers of PTX.
__extension__ typedef __int128 Exact;
__extension__ typedef unsigned __int128 ExactUnsigned;

template <class S, class T>
static __forceinline__ T integer_of(Exact exact) {
  if constexpr (S::has("sat")) {
    constexpr Exact least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
    if (exact < least) return std::numeric_limits<T>::min();
    if (exact > most) return std::numeric_limits<T>::max();
  }
  return static_cast<T>(exact);
}

template <class S, class T>
static __forceinline__ T smaller_or_larger(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a != a || b != b) {
      if (S::has("NaN") || (a != a && b != b)) return std::numeric_limits<T>::quiet_NaN();
      return a != a ? b : a;
    }
    // -0 is less than +0.
    if (a == b) return std::signbit(a) == (S::kOp == Op::min) ? a : b;
  }
  return (a < b) == (S::kOp == Op::min) ? a : b;
}

template <class S, class T>
static __forceinline__ T of_two(T a, T b) {
  constexpr Rounding mode = rounding<S>();
  if constexpr (S::kOp == Op::min || S::kOp == Op::max) {
    return smaller_or_larger<S>(a, b);
  } else if constexpr (std::is_floating_point_v<T>) {
    if constexpr (S::kOp == Op::add) return finished<S>(convkit::simt::add<mode>(a, b));
    if constexpr (S::kOp == Op::sub) return finished<S>(convkit::simt::add<mode>(a, -b));
    if constexpr (S::kOp == Op::mul) return finished<S>(convkit::simt::multiply<mode>(a, b));
    if constexpr (S::kOp == Op::div) return finished<S>(convkit::simt::divide<mode>(a, b));
    if constexpr (S::kOp == Op::copysign) return std::copysign(b, a);
  } else {
    if constexpr (S::kOp == Op::add) return integer_of<S, T>(Exact{a} + b);
    if constexpr (S::kOp == Op::sub) return integer_of<S, T>(Exact{a} - b);
    if constexpr (S::kOp == Op::div) return static_cast<T>(a / b);
    if constexpr (S::kOp == Op::rem) return static_cast<T>(a % b);
  }
}

template <class S>
static __forceinline__ auto of_two_halves(unsigned a, unsigned b) {
  return each_half<S::kType>(
      [](double x, double y) {
        if constexpr (S::kOp == Op::add) return finished<S>(x + y);
        if constexpr (S::kOp == Op::sub) return finished<S>(x - y);
        if constexpr (S::kOp == Op::mul) return finished<S>(x * y);
        if constexpr (S::kOp == Op::min || S::kOp == Op::max) return smaller_or_larger<S>(x, y);
      },
      a, b);
}

template <class S>
static __forceinline__ void calculate(Bits* v) {
  if constexpr (is_half(S::kType)) {
    S::template set<0>(
        v, of_two_halves<S>(S::template get<unsigned, 1>(v), S::template get<unsigned, 2>(v)));
  } else {
    using T = Stored<S::kType>;
    S::template set<0>(v, of_two<S>(number<S, T, 1>(v), number<S, T, 2>(v)));
  }
}

// The integer of twice the size.
template <class T>
using Twice = std::conditional_t<
    sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, int, unsigned>,
    std::conditional_t<sizeof(T) == 4,
                       std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>,
                       std::conditional_t<std::is_signed_v<T>, Exact, ExactUnsigned>>>;

// mul and mad of integers: the product's lower half, its upper half, or all of it.
template <class S>
static __forceinline__ void multiply_integers(Bits* v) {
  using T = Stored<S::kType>;
  const T a = S::template get<T, 1>(v), b = S::template get<T, 2>(v);
  const auto product =
      static_cast<Twice<T>>(static_cast<ExactUnsigned>(a) * static_cast<ExactUnsigned>(b));
  using Sum = std::conditional_t<S::has("wide"), Twice<T>, T>;
  auto result = static_cast<Sum>(S::has("hi") ? product >> (8 * sizeof(T)) : product);
  if constexpr (S::kOp == Op::mad) {
    const auto summand = static_cast<Sum>(S::template bits<3>(v));
    result =
        static_cast<Sum>(static_cast<ExactUnsigned>(result) + static_cast<ExactUnsigned>(summand));
  }
  S::template set<0>(v, result);
}

template <class S>
static __forceinline__ void multiply_or_add(Bits* v) {
  using T = Stored<S::kType>;
  if constexpr (is_half(S::kType)) {
    const auto fused = [](double a, double b, double c) {
      return finished<S>(sum_to_odd(a * b, c));  // the product is exact
    };
    S::template set<0>(
        v, each_half<S::kType>(fused, S::template get<unsigned, 1>(v),
                               S::template get<unsigned, 2>(v), S::template get<unsigned, 3>(v)));
  } else if constexpr (is_float(S::kType)) {
    S::template set<0>(v, finished<S>(multiply_add<rounding<S>()>(
                              number<S, T, 1>(v), number<S, T, 2>(v), number<S, T, 3>(v))));
  } else {
    multiply_integers<S>(v);
  }
}

template <class S, class T>
static __forceinline__ T of_one(T a) {
  if constexpr (S::kOp == Op::abs) return std::fabs(a);
  if constexpr (S::kOp == Op::neg) return -a;
  if constexpr (S::kOp == Op::rcp) return convkit::simt::divide<rounding<S>()>(T{1}, a);
  if constexpr (S::kOp == Op::sqrt) return square_root<rounding<S>()>(a);
  if constexpr (S::kOp == Op::rsqrt) return static_cast<T>(1.0 / std::sqrt(static_cast<double>(a)));
  if constexpr (S::kOp == Op::ex2) return std::exp2(a);
  if constexpr (S::kOp == Op::lg2) return std::log2(a);
  if constexpr (S::kOp == Op::sin) return std::sin(a);
  if constexpr (S::kOp == Op::cos) return std::cos(a);
  if constexpr (S::kOp == Op::tanh) return std::tanh(a);
}

template <class S>
static __forceinline__ void calculate_one(Bits* v) {
  using T = Stored<S::kType>;
  if constexpr (is_half(S::kType)) {
    S::template set<0>(v, each_half<S::kType>([](double a) { return of_one<S>(a); },
                                              S::template get<unsigned, 1>(v)));
  } else if constexpr (is_float(S::kType)) {
    S::template set<0>(v, finished<S>(of_one<S>(number<S, T, 1>(v))));
  } else {
    const Bits a = S::template bits<1>(v);
    const bool keep = S::kOp == Op::abs && from_bits<T>(a) >= 0;
    S::template set<0>(v, from_bits<T>(keep ? a : 0 - a));
  }
}

template <class S>
static __forceinline__ void sum_of_differences(Bits* v) {
  using T = Stored<S::kType>;
  const T a = S::template get<T, 1>(v), b = S::template get<T, 2>(v);
  const unsigned difference = a < b ? static_cast<unsigned>(b) - static_cast<unsigned>(a)
                                    : static_cast<unsigned>(a) - static_cast<unsigned>(b);
  S::template set<0>(v, S::template get<unsigned, 3>(v) + difference);
}

// Byte `i` of a word of four signed or unsigned ones.
template <Type type>
static __forceinline__ int byte_of(unsigned word, int i) {
  const unsigned byte = word >> (8 * i) & 0xffu;
  return is_signed(type) ? static_cast<signed char>(byte) : static_cast<int>(byte);
}

template <class S>
static __forceinline__ void dot_of_bytes(Bits* v) {
  const unsigned a = S::template get<unsigned, 1>(v), b = S::template get<unsigned, 2>(v);
  unsigned sum = S::template get<unsigned, 3>(v);
  for (int i = 0; i < 4; ++i) {
    sum += static_cast<unsigned>(byte_of<S::kInstruction.types[0]>(a, i) *
                                 byte_of<S::kInstruction.types[1]>(b, i));
  }
  S::template set<0>(v, sum);
}

// What compares true of two numbers; of floats a comparison with NaN is false, unless its name ends
// with u.
template <class S, class T>
static __forceinline__ bool compares(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    const bool unordered = a != a || b != b;
    if constexpr (S::has("num")) return !unordered;
    if constexpr (S::has("nan")) return unordered;
    if (unordered) return has_one_of(S::kInstruction, "equ neu ltu leu gtu geu");
  }
  if constexpr (has_one_of(S::kInstruction, "eq equ")) return a == b;
  if constexpr (has_one_of(S::kInstruction, "ne neu")) return a != b;
  if constexpr (has_one_of(S::kInstruction, "lt ltu lo")) return a < b;
  if constexpr (has_one_of(S::kInstruction, "le leu ls")) return a <= b;
  if constexpr (has_one_of(S::kInstruction, "gt gtu hi")) return a > b;
  return a >= b;
}

template <class S>
static __forceinline__ bool joined(bool compared, bool other) {
  if constexpr (S::has("and")) return compared && other;
  if constexpr (S::has("or")) return compared || other;
  if constexpr (S::has("xor")) return compared != other;
  return compared;
}

// setp.lt.and.s32 p|q, a, b, c
template <class S>
static __forceinline__ void set_predicate(Bits* v) {
  using T = Stored<S::kType>;
  const bool compared = compares<S>(number<S, T, 1>(v), number<S, T, 2>(v));
  bool other = true;
  if constexpr (S::kOperands == 4) other = S::template get<bool, 3>(v);
  const bool second = joined<S>(!compared, other);
  S::template set<0>(v, joined<S>(compared, other));
  if constexpr (S::count(0) == 2) S::template set<0, 1>(v, second);
}

}  // namespace convkit::simt::ptx
