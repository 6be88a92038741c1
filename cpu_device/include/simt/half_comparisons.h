// SPDX-License-Identifier: MIT
// Comparisons of half and half2, minima and maxima. The forms with a u are true where a NaN is
// involved, the others false.
#pragma once

#include "simt/half_arithmetic.h"

static inline bool __hisnan(__half value) {
  return convkit::simt::half_bits_are_nan(__half_as_ushort(value));
}
static inline int __hisinf(__half value) {
  const unsigned short bits = __half_as_ushort(value);
  return bits == 0x7c00 ? 1 : bits == 0xfc00 ? -1 : 0;
}

// The scalar form; of half2 the form with 1 or 0 in each part, with all bits of each part or none,
// and the one that asks both parts.
#define CONVKIT_SIMT_HALF_COMPARISON(name, expression)                               \
  static inline bool __h##name(__half left, __half right) {                          \
    const float a = static_cast<float>(left), b = static_cast<float>(right);         \
    return expression;                                                               \
  }                                                                                  \
  static inline __half2 __h##name##2(__half2 left, __half2 right) {                  \
    return __half2(__h##name(left.x, right.x) ? CUDART_ONE_FP16 : CUDART_ZERO_FP16,  \
                   __h##name(left.y, right.y) ? CUDART_ONE_FP16 : CUDART_ZERO_FP16); \
  }                                                                                  \
  static inline unsigned int __h##name##2_mask(__half2 left, __half2 right) {        \
    return (__h##name(left.x, right.x) ? 0xffffu : 0u) |                             \
           (__h##name(left.y, right.y) ? 0xffff0000u : 0u);                          \
  }                                                                                  \
  static inline bool __hb##name##2(__half2 left, __half2 right) {                    \
    return __h##name(left.x, right.x) && __h##name(left.y, right.y);                 \
  }

CONVKIT_SIMT_HALF_COMPARISON(eq, a == b)
CONVKIT_SIMT_HALF_COMPARISON(ne, a<b || a> b)
CONVKIT_SIMT_HALF_COMPARISON(lt, a < b)
CONVKIT_SIMT_HALF_COMPARISON(le, a <= b)
CONVKIT_SIMT_HALF_COMPARISON(gt, a > b)
CONVKIT_SIMT_HALF_COMPARISON(ge, a >= b)
CONVKIT_SIMT_HALF_COMPARISON(equ, !(a < b || a > b))
CONVKIT_SIMT_HALF_COMPARISON(neu, !(a == b))
CONVKIT_SIMT_HALF_COMPARISON(ltu, !(a >= b))
CONVKIT_SIMT_HALF_COMPARISON(leu, !(a > b))
CONVKIT_SIMT_HALF_COMPARISON(gtu, !(a <= b))
CONVKIT_SIMT_HALF_COMPARISON(geu, !(a < b))
#undef CONVKIT_SIMT_HALF_COMPARISON

static inline __half2 __hisnan2(__half2 value) {
  return __half2(__hisnan(value.x) ? CUDART_ONE_FP16 : CUDART_ZERO_FP16,
                 __hisnan(value.y) ? CUDART_ONE_FP16 : CUDART_ZERO_FP16);
}

// -0 is less than +0. A NaN loses, or, in the forms named for it, wins.
static inline __half __hmin(__half left, __half right) {
  if (__hisnan(left)) return __hisnan(right) ? CUDART_NAN_FP16 : right;
  if (__heq(left, right)) return __half_as_short(left) < 0 ? left : right;
  return __hgt(left, right) ? right : left;
}
static inline __half __hmax(__half left, __half right) {
  if (__hisnan(left)) return __hisnan(right) ? CUDART_NAN_FP16 : right;
  if (__heq(left, right)) return __half_as_short(left) < 0 ? right : left;
  return __hlt(left, right) ? right : left;
}
static inline __half __hmin_nan(__half left, __half right) {
  return __hisnan(left) || __hisnan(right) ? CUDART_NAN_FP16 : __hmin(left, right);
}
static inline __half __hmax_nan(__half left, __half right) {
  return __hisnan(left) || __hisnan(right) ? CUDART_NAN_FP16 : __hmax(left, right);
}
CONVKIT_SIMT_HALF2_BINARY(__hmin2, __hmin)
CONVKIT_SIMT_HALF2_BINARY(__hmax2, __hmax)
CONVKIT_SIMT_HALF2_BINARY(__hmin2_nan, __hmin_nan)
CONVKIT_SIMT_HALF2_BINARY(__hmax2_nan, __hmax_nan)
