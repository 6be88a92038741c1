// SPDX-License-Identifier: MIT
// make_float4() and its like.
#pragma once

#include "simt/attributes.h"
#include "simt/vector_types.h"

#define CONVKIT_SIMT_MAKE_FOUR(vector, element)                                    \
  static inline vector make_##vector(element x, element y, element z, element w) { \
    return vector{x, y, z, w};                                                     \
  }

#define CONVKIT_SIMT_MAKE(name, element)                                  \
  static inline name##1 make_##name##1(element x) {                       \
    return name##1 {x};                                                   \
  }                                                                       \
  static inline name##2 make_##name##2(element x, element y) {            \
    return name##2 {x, y};                                                \
  }                                                                       \
  static inline name##3 make_##name##3(element x, element y, element z) { \
    return name##3 {x, y, z};                                             \
  }                                                                       \
  CONVKIT_SIMT_MAKE_FOUR(name##4, element)

CONVKIT_SIMT_MAKE(char, signed char)
CONVKIT_SIMT_MAKE(uchar, unsigned char)
CONVKIT_SIMT_MAKE(short, short)
CONVKIT_SIMT_MAKE(ushort, unsigned short)
CONVKIT_SIMT_MAKE(int, int)
CONVKIT_SIMT_MAKE(uint, unsigned int)
CONVKIT_SIMT_MAKE(long, long)
CONVKIT_SIMT_MAKE(ulong, unsigned long)
CONVKIT_SIMT_MAKE(longlong, long long)
CONVKIT_SIMT_MAKE(ulonglong, unsigned long long)
CONVKIT_SIMT_MAKE(float, float)
CONVKIT_SIMT_MAKE(double, double)

CONVKIT_SIMT_MAKE_FOUR(long4_16a, long)
CONVKIT_SIMT_MAKE_FOUR(long4_32a, long)
CONVKIT_SIMT_MAKE_FOUR(ulong4_16a, unsigned long)
CONVKIT_SIMT_MAKE_FOUR(ulong4_32a, unsigned long)
CONVKIT_SIMT_MAKE_FOUR(longlong4_16a, long long)
CONVKIT_SIMT_MAKE_FOUR(longlong4_32a, long long)
CONVKIT_SIMT_MAKE_FOUR(ulonglong4_16a, unsigned long long)
CONVKIT_SIMT_MAKE_FOUR(ulonglong4_32a, unsigned long long)
CONVKIT_SIMT_MAKE_FOUR(double4_16a, double)
CONVKIT_SIMT_MAKE_FOUR(double4_32a, double)
#undef CONVKIT_SIMT_MAKE
#undef CONVKIT_SIMT_MAKE_FOUR
