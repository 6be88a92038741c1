// SPDX-License-Identifier: MIT
// min() and max() for exactly the pairs of types CUDA has them for. With mixed signs the result is
// unsigned; if one of two floats is NaN, the result is the other.
#pragma once

#include <math.h>

#include "simt/bits.h"

namespace convkit::simt {

// -0 counts as less than +0, as on the GPU; a NaN loses against any number. (Two numbers that are
// equal differ at most in their sign bit.)
template <class Real>
static inline Real lesser(Real left, Real right) {
  using Bits = typename BitsOf<Real>::Type;
  const Real either = bits_as<Real>(bits_as<Bits>(left) | bits_as<Bits>(right));
  const Real less = left < right ? left : right;
  const Real result = left == right ? either : less;
  return right != right ? left : result;
}
template <class Real>
static inline Real greater(Real left, Real right) {
  using Bits = typename BitsOf<Real>::Type;
  const Real either = bits_as<Real>(bits_as<Bits>(left) & bits_as<Bits>(right));
  const Real more = left > right ? left : right;
  const Real result = left == right ? either : more;
  return right != right ? left : result;
}

}  // namespace convkit::simt

// The C library's functions of this name ignore the sign of zero, and g++ calls them, which takes
// ten times as long as this.
extern "C" inline float fminf(float left, float right) noexcept {
  return convkit::simt::lesser(left, right);
}
extern "C" inline float fmaxf(float left, float right) noexcept {
  return convkit::simt::greater(left, right);
}
extern "C" inline double fmin(double left, double right) noexcept {
  return convkit::simt::lesser(left, right);
}
extern "C" inline double fmax(double left, double right) noexcept {
  return convkit::simt::greater(left, right);
}

#define CONVKIT_SIMT_MIN_MAX(Left, Right, Type)                                           \
  static inline Type min(Left left, Right right) {                                        \
    return static_cast<Type>(left) < static_cast<Type>(right) ? static_cast<Type>(left)   \
                                                              : static_cast<Type>(right); \
  }                                                                                       \
  static inline Type max(Left left, Right right) {                                        \
    return static_cast<Type>(left) > static_cast<Type>(right) ? static_cast<Type>(left)   \
                                                              : static_cast<Type>(right); \
  }
#define CONVKIT_SIMT_MIN_MAX_SIGNS(Integer)                                  \
  CONVKIT_SIMT_MIN_MAX(Integer, Integer, Integer)                            \
  CONVKIT_SIMT_MIN_MAX(unsigned Integer, unsigned Integer, unsigned Integer) \
  CONVKIT_SIMT_MIN_MAX(Integer, unsigned Integer, unsigned Integer)          \
  CONVKIT_SIMT_MIN_MAX(unsigned Integer, Integer, unsigned Integer)
#define CONVKIT_SIMT_MIN_MAX_REAL(Left, Right, Type)  \
  static inline Type min(Left left, Right right) {    \
    return convkit::simt::lesser<Type>(left, right);  \
  }                                                   \
  static inline Type max(Left left, Right right) {    \
    return convkit::simt::greater<Type>(left, right); \
  }

CONVKIT_SIMT_MIN_MAX_SIGNS(int)
CONVKIT_SIMT_MIN_MAX_SIGNS(long)
CONVKIT_SIMT_MIN_MAX_SIGNS(long long)
CONVKIT_SIMT_MIN_MAX_REAL(float, float, float)
CONVKIT_SIMT_MIN_MAX_REAL(double, double, double)
CONVKIT_SIMT_MIN_MAX_REAL(float, double, double)
CONVKIT_SIMT_MIN_MAX_REAL(double, float, double)
#undef CONVKIT_SIMT_MIN_MAX_REAL
#undef CONVKIT_SIMT_MIN_MAX_SIGNS
#undef CONVKIT_SIMT_MIN_MAX

static inline unsigned int umin(unsigned int left, unsigned int right) {
  return min(left, right);
}
static inline unsigned int umax(unsigned int left, unsigned int right) {
  return max(left, right);
}
static inline long long llmin(long long left, long long right) {
  return min(left, right);
}
static inline long long llmax(long long left, long long right) {
  return max(left, right);
}
static inline unsigned long long ullmin(unsigned long long left, unsigned long long right) {
  return min(left, right);
}
static inline unsigned long long ullmax(unsigned long long left, unsigned long long right) {
  return max(left, right);
}
