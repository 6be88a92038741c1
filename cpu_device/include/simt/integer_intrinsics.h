// SPDX-License-Identifier: MIT
// Integer intrinsics: counting and moving bits, high halves of products, averages, sums of absolute
// differences, dot products of packed bytes.
#pragma once

#include "simt/attributes.h"
#include "simt/vector_types.h"

// bits
static inline int __popc(unsigned int value) {
  return __builtin_popcount(value);
}
static inline int __popcll(unsigned long long value) {
  return __builtin_popcountll(value);
}
static inline int __clz(int value) {
  return value == 0 ? 32 : __builtin_clz(static_cast<unsigned int>(value));
}
static inline int __clzll(long long value) {
  return value == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(value));
}
static inline int __ffs(int value) {
  return __builtin_ffs(value);
}
static inline int __ffsll(long long value) {
  return __builtin_ffsll(value);
}
static inline unsigned int __brev(unsigned int value) {
  value = (value >> 1 & 0x55555555u) | (value & 0x55555555u) << 1;
  value = (value >> 2 & 0x33333333u) | (value & 0x33333333u) << 2;
  value = (value >> 4 & 0x0f0f0f0fu) | (value & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(value);
}
static inline unsigned long long __brevll(unsigned long long value) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned int>(value))) << 32 |
         __brev(static_cast<unsigned int>(value >> 32));
}

// The position of the |offset|-th set bit, counted from `base` upwards (or downwards when offset is
// negative); offset 0 asks whether `base` itself is set. 0xffffffff if there is none.
static inline unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
  if (base > 31) return 0xffffffffu;
  if (offset == 0) return (mask >> base & 1u) != 0 ? base : 0xffffffffu;
  const int step = offset > 0 ? 1 : -1;
  long long wanted = offset > 0 ? offset : -static_cast<long long>(offset);
  for (int position = static_cast<int>(base); position >= 0 && position < 32; position += step) {
    if ((mask >> position & 1u) != 0 && --wanted == 0) return static_cast<unsigned int>(position);
  }
  return 0xffffffffu;
}

// Each nibble of the selector names one of the eight bytes low (0-3) and high (4-7).
static inline unsigned int __byte_perm(unsigned int low, unsigned int high, unsigned int selector) {
  const unsigned long long bytes = static_cast<unsigned long long>(high) << 32 | low;
  unsigned int result = 0;
  for (int place = 0; place < 4; ++place) {
    const unsigned int byte = selector >> 4 * place & 7u;
    result |= static_cast<unsigned int>(bytes >> 8 * byte & 0xffu) << 8 * place;
  }
  return result;
}

// The 64 bits high:low, shifted; of the results the upper (left) or lower (right) half. The plain
// forms take the distance modulo 32, the `c` forms stop at 32.
static inline unsigned int __funnelshift_l(unsigned int low, unsigned int high,
                                           unsigned int distance) {
  const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
  return static_cast<unsigned int>(both << (distance & 31u) >> 32);
}
static inline unsigned int __funnelshift_lc(unsigned int low, unsigned int high,
                                            unsigned int distance) {
  const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
  return static_cast<unsigned int>(both << (distance < 32u ? distance : 32u) >> 32);
}
static inline unsigned int __funnelshift_r(unsigned int low, unsigned int high,
                                           unsigned int distance) {
  const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
  return static_cast<unsigned int>(both >> (distance & 31u));
}
static inline unsigned int __funnelshift_rc(unsigned int low, unsigned int high,
                                            unsigned int distance) {
  const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
  return static_cast<unsigned int>(both >> (distance < 32u ? distance : 32u));
}

// products
static inline int __mulhi(int left, int right) {
  return static_cast<int>(static_cast<long long>(left) * right >> 32);
}
static inline unsigned int __umulhi(unsigned int left, unsigned int right) {
  return static_cast<unsigned int>(static_cast<unsigned long long>(left) * right >> 32);
}
static inline long long __mul64hi(long long left, long long right) {
  __extension__ typedef __int128 Wide;
  return static_cast<long long>(static_cast<Wide>(left) * right >> 64);
}
static inline unsigned long long __umul64hi(unsigned long long left, unsigned long long right) {
  __extension__ typedef unsigned __int128 Wide;
  return static_cast<unsigned long long>(static_cast<Wide>(left) * right >> 64);
}
// Of the low 24 bits of both; the low 32 bits of the result.
static inline int __mul24(int left, int right) {
  const int left24 = static_cast<int>(static_cast<unsigned int>(left) << 8) >> 8;
  const int right24 = static_cast<int>(static_cast<unsigned int>(right) << 8) >> 8;
  return static_cast<int>(static_cast<long long>(left24) * right24);
}
static inline unsigned int __umul24(unsigned int left, unsigned int right) {
  return (left & 0xffffffu) * (right & 0xffffffu);
}

// averages: __hadd rounds down, __rhadd up
static inline int __hadd(int left, int right) {
  return static_cast<int>((static_cast<long long>(left) + right) >> 1);
}
static inline int __rhadd(int left, int right) {
  return static_cast<int>((static_cast<long long>(left) + right + 1) >> 1);
}
static inline unsigned int __uhadd(unsigned int left, unsigned int right) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(left) + right) >> 1);
}
static inline unsigned int __urhadd(unsigned int left, unsigned int right) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(left) + right + 1) >> 1);
}

// |left - right| + sum
static inline unsigned int __sad(int left, int right, unsigned int sum) {
  const long long difference = static_cast<long long>(left) - right;
  return sum + static_cast<unsigned int>(difference < 0 ? -difference : difference);
}
static inline unsigned int __usad(unsigned int left, unsigned int right, unsigned int sum) {
  return sum + (left < right ? right - left : left - right);
}
