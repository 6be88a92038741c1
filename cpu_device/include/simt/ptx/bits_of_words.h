// SPDX-License-Identifier: MIT
// PTX that works on bits: mov, logic, shifts, bit fields.
#pragma once

#include "simt/integer_intrinsics.h"
#include "simt/ptx/registers.h"

namespace convkit::simt::ptx {

// mov.b64 d, {a, b}: the first element is the lowest.
template <class S, int... i>
static __forceinline__ Bits packed(const Bits* v, std::integer_sequence<int, i...>) {
  constexpr int width = static_cast<int>(8 * size_of(S::kType)) / static_cast<int>(sizeof...(i));
  constexpr Bits mask = ~0ull >> (64 - width);
  return (((S::template bits<1, i>(v) & mask) << (width * i)) | ...);
}

template <class S, int... i>
static __forceinline__ void unpack(Bits* v, std::integer_sequence<int, i...>) {
  constexpr int width = static_cast<int>(8 * size_of(S::kType)) / static_cast<int>(sizeof...(i));
  constexpr Bits mask = ~0ull >> (64 - width);
  const Bits all = S::template bits<1>(v);
  (S::template set<0, i>(v, all >> (width * i) & mask), ...);
}

template <class S>
static __forceinline__ void move(Bits* v) {
  constexpr int to = S::count(0), from = S::count(1);
  if constexpr (from > 1) {
    S::template set<0>(v, packed<S>(v, std::make_integer_sequence<int, from>()));
  } else if constexpr (to > 1) {
    unpack<S>(v, std::make_integer_sequence<int, to>());
  } else {
    S::template set<0>(v, S::template get<Stored<S::kType>, 1>(v));
  }
}

template <class S>
static __forceinline__ void combine_bits(Bits* v) {
  const Bits a = S::template bits<1>(v);
  if constexpr (S::kOp == Op::bit_not) {
    S::template set<0>(v, from_bits<Stored<S::kType>>(S::kType == Type::pred ? a == 0 : ~a));
  } else {
    const Bits b = S::template bits<2>(v);
    S::template set<0>(v, from_bits<Stored<S::kType>>(S::kOp == Op::bit_and  ? a & b
                                                      : S::kOp == Op::bit_or ? a | b
                                                                             : a ^ b));
  }
}

// By the number of bits or more: nothing is left but signs.
template <class S>
static __forceinline__ void shift(Bits* v) {
  using T = Stored<S::kType>;
  constexpr unsigned width = 8 * sizeof(T);
  const T a = S::template get<T, 1>(v);
  const unsigned by = S::template get<unsigned, 2>(v);
  if constexpr (S::kOp == Op::shl) {
    S::template set<0>(v, static_cast<T>(by < width ? static_cast<Bits>(a) << by : 0));
  } else if constexpr (is_signed(S::kType)) {
    S::template set<0>(v, static_cast<T>(a >> (by < width ? by : width - 1)));
  } else {
    S::template set<0>(v, static_cast<T>(by < width ? a >> by : 0));
  }
}

// Bit i of the result is the bit of `table` whose number is a's bit, b's and c's.
template <class S>
static __forceinline__ void look_up_bits(Bits* v) {
  const unsigned a = S::template get<unsigned, 1>(v), b = S::template get<unsigned, 2>(v),
                 c = S::template get<unsigned, 3>(v), table = S::template get<unsigned, 4>(v);
  unsigned result = 0;
  for (unsigned i = 0; i < 8; ++i) {
    if ((table >> i & 1) == 0) continue;
    result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  }
  S::template set<0>(v, result);
}

template <class S>
static __forceinline__ void extract_field(Bits* v) {
  using T = Stored<S::kType>;
  constexpr unsigned width = 8 * sizeof(T);
  const Bits a = static_cast<Bits>(S::template get<std::make_unsigned_t<T>, 1>(v));
  const unsigned begin = S::template get<unsigned, 2>(v) & 0xffu,
                 length = S::template get<unsigned, 3>(v) & 0xffu;
  const unsigned last = begin + length - 1 < width - 1 ? begin + length - 1 : width - 1;
  const bool sign = is_signed(S::kType) && length != 0 && (a >> last & 1) != 0;
  Bits field = begin < width ? a >> begin : 0;
  const unsigned kept = begin < width ? (length < width - begin ? length : width - begin) : 0;
  const Bits mask = kept == 0 ? 0 : ~0ull >> (64 - kept);
  field &= mask;
  if (sign) field |= ~mask;
  S::template set<0>(v, from_bits<T>(field));
}

// bfi d, a, b, begin, length: a's lowest bits into b.
template <class S>
static __forceinline__ void insert_field(Bits* v) {
  using T = Stored<S::kType>;
  constexpr unsigned width = 8 * sizeof(T);
  const Bits a = S::template bits<1>(v), b = S::template bits<2>(v);
  const unsigned begin = S::template get<unsigned, 3>(v) & 0xffu,
                 length = S::template get<unsigned, 4>(v) & 0xffu;
  const Bits ones = length == 0 ? 0 : ~0ull >> (64 - (length < 64 ? length : 64));
  const Bits mask = begin < width ? ones << begin : 0;
  const Bits moved = begin < width ? a << begin : 0;
  S::template set<0>(v, from_bits<T>((b & ~mask) | (moved & mask)));
}

// The highest bit that is not the sign; none: all bits of the result are set.
template <class S>
static __forceinline__ void find_bit(Bits* v) {
  using T = Stored<S::kType>;
  const T a = S::template get<T, 1>(v);
  using Unsigned = std::make_unsigned_t<T>;
  const auto size = static_cast<Unsigned>(is_signed(S::kType) && a < 0 ? ~a : a);
  unsigned place = 0xffffffffu;
  if (size != 0) place = 63u - static_cast<unsigned>(__builtin_clzll(size));
  if (S::has("shiftamt") && size != 0) place = 8 * sizeof(T) - 1 - place;
  S::template set<0>(v, place);
}

template <class S>
static __forceinline__ void count_bits(Bits* v) {
  const auto a = S::template get<Stored<S::kType>, 1>(v);
  constexpr bool is_long = sizeof a == 8;
  if constexpr (S::kOp == Op::popc) {
    S::template set<0>(
        v, static_cast<unsigned>(is_long ? __popcll(a) : __popc(static_cast<unsigned>(a))));
  } else if constexpr (S::kOp == Op::clz) {
    S::template set<0>(v, static_cast<unsigned>(is_long ? __clzll(static_cast<long long>(a))
                                                        : __clz(static_cast<int>(a))));
  } else if constexpr (is_long) {
    S::template set<0>(v, __brevll(a));
  } else {
    S::template set<0>(v, __brev(a));
  }
}

template <class S>
static __forceinline__ void shift_pair(Bits* v) {
  const unsigned low = S::template get<unsigned, 1>(v), high = S::template get<unsigned, 2>(v),
                 by = S::template get<unsigned, 3>(v);
  constexpr bool clamps = S::has("clamp");
  S::template set<0>(
      v, S::has("l") ? (clamps ? __funnelshift_lc(low, high, by) : __funnelshift_l(low, high, by))
                     : (clamps ? __funnelshift_rc(low, high, by) : __funnelshift_r(low, high, by)));
}

// Each digit of the selector takes one of 8 bytes, or, from 8 on, its sign in all bits.
template <class S>
static __forceinline__ void permute_bytes(Bits* v) {
  const Bits bytes = S::template bits<1>(v) << 32 >> 32 | S::template bits<2>(v) << 32;
  const unsigned selector = S::template get<unsigned, 3>(v);
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned digit = selector >> (4 * i) & 0xfu;
    unsigned byte = static_cast<unsigned>(bytes >> (8 * (digit & 7)) & 0xffu);
    if (digit >= 8) byte = byte >= 0x80 ? 0xffu : 0;
    result |= byte << (8 * i);
  }
  S::template set<0>(v, result);
}

template <class S>
static __forceinline__ void select(Bits* v) {
  const Bits chosen = S::template get<bool, 3>(v)
                          ? to_bits(S::template get<Stored<S::kType>, 1>(v))
                          : to_bits(S::template get<Stored<S::kType>, 2>(v));
  S::template set<0>(v, chosen);
}

}  // namespace convkit::simt::ptx
