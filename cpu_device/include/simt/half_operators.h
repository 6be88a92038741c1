// SPDX-License-Identifier: MIT
// The operators of half and half2. Two half2 compare as true when both of their parts do.
#pragma once

#include "simt/half_comparisons.h"

#define CONVKIT_SIMT_HALF_OPERATOR(Type, symbol, function)                  \
  static inline Type operator symbol(const Type& left, const Type& right) { \
    return function(left, right);                                           \
  }                                                                         \
  static inline Type& operator symbol##=(Type& left, const Type& right) {   \
    return left = function(left, right);                                    \
  }
#define CONVKIT_SIMT_HALF_RELATION(Type, symbol, function)                  \
  static inline bool operator symbol(const Type& left, const Type& right) { \
    return function(left, right);                                           \
  }
#define CONVKIT_SIMT_HALF_STEP(Type, symbol, add, one)   \
  static inline Type& operator symbol(Type& value) {     \
    return value = add(value, one);                      \
  }                                                      \
  static inline Type operator symbol(Type& value, int) { \
    const Type before = value;                           \
    value = add(value, one);                             \
    return before;                                       \
  }

CONVKIT_SIMT_HALF_OPERATOR(__half, +, __hadd)
CONVKIT_SIMT_HALF_OPERATOR(__half, -, __hsub)
CONVKIT_SIMT_HALF_OPERATOR(__half, *, __hmul)
CONVKIT_SIMT_HALF_OPERATOR(__half, /, __hdiv)
CONVKIT_SIMT_HALF_STEP(__half, ++, __hadd, CUDART_ONE_FP16)
CONVKIT_SIMT_HALF_STEP(__half, --, __hsub, CUDART_ONE_FP16)
CONVKIT_SIMT_HALF_RELATION(__half, ==, __heq)
CONVKIT_SIMT_HALF_RELATION(__half, !=, __hneu)
CONVKIT_SIMT_HALF_RELATION(__half, <, __hlt)
CONVKIT_SIMT_HALF_RELATION(__half, <=, __hle)
CONVKIT_SIMT_HALF_RELATION(__half, >, __hgt)
CONVKIT_SIMT_HALF_RELATION(__half, >=, __hge)

CONVKIT_SIMT_HALF_OPERATOR(__half2, +, __hadd2)
CONVKIT_SIMT_HALF_OPERATOR(__half2, -, __hsub2)
CONVKIT_SIMT_HALF_OPERATOR(__half2, *, __hmul2)
CONVKIT_SIMT_HALF_OPERATOR(__half2, /, __h2div)
CONVKIT_SIMT_HALF_STEP(__half2, ++, __hadd2, __half2half2(CUDART_ONE_FP16))
CONVKIT_SIMT_HALF_STEP(__half2, --, __hsub2, __half2half2(CUDART_ONE_FP16))
CONVKIT_SIMT_HALF_RELATION(__half2, ==, __hbeq2)
CONVKIT_SIMT_HALF_RELATION(__half2, !=, __hbneu2)
CONVKIT_SIMT_HALF_RELATION(__half2, <, __hblt2)
CONVKIT_SIMT_HALF_RELATION(__half2, <=, __hble2)
CONVKIT_SIMT_HALF_RELATION(__half2, >, __hbgt2)
CONVKIT_SIMT_HALF_RELATION(__half2, >=, __hbge2)
#undef CONVKIT_SIMT_HALF_STEP
#undef CONVKIT_SIMT_HALF_RELATION
#undef CONVKIT_SIMT_HALF_OPERATOR

static inline __half operator+(const __half& value) {
  return value;
}
static inline __half operator-(const __half& value) {
  return __hneg(value);
}
static inline __half2 operator+(const __half2& value) {
  return value;
}
static inline __half2 operator-(const __half2& value) {
  return __hneg2(value);
}
