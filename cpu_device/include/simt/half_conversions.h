// SPDX-License-Identifier: MIT
// Conversions of half by name, with the rounding that the name says.
#pragma once

#include "simt/half_type.h"

static inline float __half2float(__half value) {
  return static_cast<float>(value);
}
static inline __half __float2half(float value) {
  return __half(value);
}
static inline __half __double2half(double value) {
  return __half(value);
}

namespace convkit::simt {

template <Rounding mode>
static inline __half to_half(double value) {
  return __half(__half_raw{half_bits_from_double<mode>(value)});
}

template <class Integer, Rounding mode>
static inline Integer half_to_integer(__half value) {
  return to_integer<Integer, mode, false>(static_cast<double>(static_cast<float>(value)));
}

}  // namespace convkit::simt

#define CONVKIT_SIMT_HALF_INTEGER(suffix, mode, name, Integer)                                \
  static inline Integer __half2##name##_##suffix(__half value) {                              \
    return convkit::simt::half_to_integer<Integer, convkit::simt::Rounding::mode>(value);     \
  }                                                                                           \
  static inline __half __##name##2half_##suffix(Integer value) {                              \
    return convkit::simt::to_half<convkit::simt::Rounding::mode>(static_cast<double>(value)); \
  }
#define CONVKIT_SIMT_HALF_MODE(suffix, mode)                                                  \
  static inline __half __float2half_##suffix(float value) {                                   \
    return convkit::simt::to_half<convkit::simt::Rounding::mode>(static_cast<double>(value)); \
  }                                                                                           \
  CONVKIT_SIMT_HALF_INTEGER(suffix, mode, short, short)                                       \
  CONVKIT_SIMT_HALF_INTEGER(suffix, mode, ushort, unsigned short)                             \
  CONVKIT_SIMT_HALF_INTEGER(suffix, mode, int, int)                                           \
  CONVKIT_SIMT_HALF_INTEGER(suffix, mode, uint, unsigned int)                                 \
  CONVKIT_SIMT_HALF_INTEGER(suffix, mode, ll, long long)                                      \
  CONVKIT_SIMT_HALF_INTEGER(suffix, mode, ull, unsigned long long)

CONVKIT_SIMT_HALF_MODE(rn, kNearest)
CONVKIT_SIMT_HALF_MODE(rz, kZero)
CONVKIT_SIMT_HALF_MODE(ru, kUp)
CONVKIT_SIMT_HALF_MODE(rd, kDown)
#undef CONVKIT_SIMT_HALF_MODE
#undef CONVKIT_SIMT_HALF_INTEGER

static inline signed char __half2char_rz(__half value) {
  return static_cast<signed char>(value);
}
static inline unsigned char __half2uchar_rz(__half value) {
  return static_cast<unsigned char>(value);
}

// half2 from and to its parts: x is the low half, y the high one
static inline __half2 make_half2(__half low, __half high) {
  return __half2(low, high);
}
static inline __half2 __halves2half2(__half low, __half high) {
  return __half2(low, high);
}
static inline __half2 __half2half2(__half value) {
  return __half2(value, value);
}
static inline __half2 __floats2half2_rn(float low, float high) {
  return __half2(__half(low), __half(high));
}
static inline __half2 __float2half2_rn(float value) {
  return __half2half2(__half(value));
}
static inline __half2 __float22half2_rn(float2 value) {
  return __floats2half2_rn(value.x, value.y);
}
static inline float2 __half22float2(__half2 value) {
  return float2{static_cast<float>(value.x), static_cast<float>(value.y)};
}
static inline float __low2float(__half2 value) {
  return static_cast<float>(value.x);
}
static inline float __high2float(__half2 value) {
  return static_cast<float>(value.y);
}
static inline __half __low2half(__half2 value) {
  return value.x;
}
static inline __half __high2half(__half2 value) {
  return value.y;
}
static inline __half2 __low2half2(__half2 value) {
  return __half2(value.x, value.x);
}
static inline __half2 __high2half2(__half2 value) {
  return __half2(value.y, value.y);
}
static inline __half2 __lows2half2(__half2 first, __half2 second) {
  return __half2(first.x, second.x);
}
static inline __half2 __highs2half2(__half2 first, __half2 second) {
  return __half2(first.y, second.y);
}
static inline __half2 __lowhigh2highlow(__half2 value) {
  return __half2(value.y, value.x);
}
