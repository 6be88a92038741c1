// SPDX-License-Identifier: MIT
// Type casts with a rounding mode, and reinterpretations of bits. Like the GPU's, casts to integers
// saturate; a NaN becomes 0, or, from double or to 64 bits, the integer with only its top bit set.
#pragma once

#include <limits>

#include "simt/rounding.h"

namespace convkit::simt {

template <Rounding mode>
static inline double to_integral(double value) {
  if (mode == Rounding::kZero) return __builtin_trunc(value);
  if (mode == Rounding::kUp) return __builtin_ceil(value);
  if (mode == Rounding::kDown) return __builtin_floor(value);
  return __builtin_rint(value);
}

template <class Integer, Rounding mode, bool from_double>
static inline Integer to_integer(double value) {
  using Limits = std::numeric_limits<Integer>;
  constexpr bool kZeroForNan = !from_double && sizeof(Integer) <= 4;
  if (value != value) {
    return kZeroForNan ? 0 : static_cast<Integer>(1ull << (8 * sizeof(Integer) - 1));
  }
  const double integral = to_integral<mode>(value);
  if (integral <= static_cast<double>(Limits::min())) return Limits::min();
  if (integral >= static_cast<double>(Limits::max())) return Limits::max();
  return static_cast<Integer>(integral);
}

template <class Real, Rounding mode, class Integer>
static inline Real from_integer(Integer value) {
  __extension__ typedef __int128 Wide;
  const Real nearest = static_cast<Real>(value);
  if (mode == Rounding::kNearest) return nearest;
  const Wide error = static_cast<Wide>(value) - static_cast<Wide>(nearest);
  return directed<mode>(nearest, error > 0 ? 1 : error < 0 ? -1 : 0);
}

template <Rounding mode>
static inline float to_float(double value) {
  const float nearest = static_cast<float>(value);
  if (mode == Rounding::kNearest) return nearest;
  return directed<mode>(nearest, value - nearest);
}

}  // namespace convkit::simt

// All four modes of a cast.
#define CONVKIT_SIMT_MODES(define, ...)                                                         \
  define(rn, kNearest, __VA_ARGS__) define(rz, kZero, __VA_ARGS__) define(ru, kUp, __VA_ARGS__) \
      define(rd, kDown, __VA_ARGS__)
#define CONVKIT_SIMT_TO_INTEGER(suffix, mode, name, Integer)                               \
  static inline Integer __float2##name##_##suffix(float value) {                           \
    return convkit::simt::to_integer<Integer, convkit::simt::Rounding::mode, false>(       \
        static_cast<double>(value));                                                       \
  }                                                                                        \
  static inline Integer __double2##name##_##suffix(double value) {                         \
    return convkit::simt::to_integer<Integer, convkit::simt::Rounding::mode, true>(value); \
  }
#define CONVKIT_SIMT_FROM_INTEGER(suffix, mode, name, Integer, real)                \
  static inline real __##name##2##real##_##suffix(Integer value) {                  \
    return convkit::simt::from_integer<real, convkit::simt::Rounding::mode>(value); \
  }
#define CONVKIT_SIMT_DOUBLE_TO_FLOAT(suffix, mode, unused)                \
  static inline float __double2float_##suffix(double value) {             \
    return convkit::simt::to_float<convkit::simt::Rounding::mode>(value); \
  }

CONVKIT_SIMT_MODES(CONVKIT_SIMT_TO_INTEGER, int, int)
CONVKIT_SIMT_MODES(CONVKIT_SIMT_TO_INTEGER, uint, unsigned int)
CONVKIT_SIMT_MODES(CONVKIT_SIMT_TO_INTEGER, ll, long long)
CONVKIT_SIMT_MODES(CONVKIT_SIMT_TO_INTEGER, ull, unsigned long long)
CONVKIT_SIMT_MODES(CONVKIT_SIMT_FROM_INTEGER, int, int, float)
CONVKIT_SIMT_MODES(CONVKIT_SIMT_FROM_INTEGER, uint, unsigned int, float)
CONVKIT_SIMT_MODES(CONVKIT_SIMT_FROM_INTEGER, ll, long long, float)
CONVKIT_SIMT_MODES(CONVKIT_SIMT_FROM_INTEGER, ull, unsigned long long, float)
CONVKIT_SIMT_MODES(CONVKIT_SIMT_FROM_INTEGER, ll, long long, double)
CONVKIT_SIMT_MODES(CONVKIT_SIMT_FROM_INTEGER, ull, unsigned long long, double)
CONVKIT_SIMT_FROM_INTEGER(rn, kNearest, int, int, double)
CONVKIT_SIMT_FROM_INTEGER(rn, kNearest, uint, unsigned int, double)
CONVKIT_SIMT_MODES(CONVKIT_SIMT_DOUBLE_TO_FLOAT, )
#undef CONVKIT_SIMT_DOUBLE_TO_FLOAT
#undef CONVKIT_SIMT_FROM_INTEGER
#undef CONVKIT_SIMT_TO_INTEGER
#undef CONVKIT_SIMT_MODES

// reinterpretations
static inline float __int_as_float(int bits) {
  return convkit::simt::bits_as<float>(bits);
}
static inline float __uint_as_float(unsigned int bits) {
  return convkit::simt::bits_as<float>(bits);
}
static inline int __float_as_int(float value) {
  return convkit::simt::bits_as<int>(value);
}
static inline unsigned int __float_as_uint(float value) {
  return convkit::simt::bits_as<unsigned int>(value);
}
static inline double __longlong_as_double(long long bits) {
  return convkit::simt::bits_as<double>(bits);
}
static inline long long __double_as_longlong(double value) {
  return convkit::simt::bits_as<long long>(value);
}
static inline int __double2hiint(double value) {
  return static_cast<int>(convkit::simt::bits_as<long long>(value) >> 32);
}
static inline int __double2loint(double value) {
  return static_cast<int>(convkit::simt::bits_as<long long>(value));
}
static inline double __hiloint2double(int high, int low) {
  return convkit::simt::bits_as<double>(static_cast<unsigned long long>(
      static_cast<unsigned long long>(static_cast<unsigned int>(high)) << 32 |
      static_cast<unsigned int>(low)));
}
