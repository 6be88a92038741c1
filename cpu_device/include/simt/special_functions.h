// SPDX-License-Identifier: MIT
// CUDA's mathematical functions that the C library lacks. Float forms are computed in double and
// rounded once; errors of the double forms are a few units in the last place.
#pragma once

#include "simt/error_functions.h"

// C23 has these six, and newer C libraries declare them (glibc 2.41, 2.42): only a definition of
// the same linkage may follow. `noexcept`, as glibc's are.
extern "C" {
inline double rsqrt(double value) noexcept {
  return 1 / __builtin_sqrt(value);
}
inline float rsqrtf(float value) noexcept {
  return 1 / __builtin_sqrtf(value);
}
inline double sinpi(double value) noexcept;
inline double cospi(double value) noexcept;
inline float sinpif(float value) noexcept;
inline float cospif(float value) noexcept;
}

// roots
static inline double rcbrt(double value) {
  const double root = 1 / __builtin_cbrt(value);
  if (root == 0 || __builtin_isinf(root)) return root;
  return root + root * (1 - value * root * root * root) / 3;  // the library's root is a bit coarse
}
static inline float rcbrtf(float value) {
  return static_cast<float>(1 / __builtin_cbrt(static_cast<double>(value)));
}

namespace convkit::simt {

// sin(pi * value) and cos(pi * value). Whole turns and quarters come off exactly.
static inline void sincos_of_pi_times(double value, double* sine, double* cosine) {
  constexpr double kPi = 3.14159265358979323846;
  const double turn = value - 2 * __builtin_rint(value / 2);
  const double quarters = __builtin_rint(2 * turn);
  const double angle = kPi * (turn - quarters / 2);
  const double s = __builtin_sin(angle);
  const double c = __builtin_cos(angle);
  if (value != value || __builtin_isinf(value)) {
    *sine = *cosine = value - value;
    return;
  }
  switch (static_cast<int>(quarters) & 3) {
    case 0:
      *sine = s, *cosine = c;
      break;
    case 1:
      *sine = c, *cosine = -s;
      break;
    case 2:
      *sine = -s, *cosine = -c;
      break;
    default:
      *sine = -c, *cosine = s;
  }
  if (*sine == 0) *sine = __builtin_copysign(0.0, value);
  if (*cosine == 0) *cosine = 0.0;
}

// The Euclidean length of `count` numbers, without overflow in between. An infinity wins over a
// NaN.
template <class Real>
static inline double length(const Real* values, int count) {
  double largest = 0;
  bool infinite = false, unordered = false;
  for (int i = 0; i < count; ++i) {
    const double size = __builtin_fabs(static_cast<double>(values[i]));
    infinite = infinite || __builtin_isinf(size);
    unordered = unordered || size != size;
    if (size > largest) largest = size;
  }
  if (infinite) return __builtin_inf();
  if (unordered) return __builtin_nan("");
  if (largest == 0) return 0;
  int exponent;
  __builtin_frexp(largest, &exponent);
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    const double scaled = __builtin_ldexp(static_cast<double>(values[i]), -exponent);
    sum += scaled * scaled;
  }
  return __builtin_ldexp(__builtin_sqrt(sum), exponent);
}

}  // namespace convkit::simt

inline double sinpi(double value) noexcept {
  double sine, cosine;
  convkit::simt::sincos_of_pi_times(value, &sine, &cosine);
  return sine;
}
inline double cospi(double value) noexcept {
  double sine, cosine;
  convkit::simt::sincos_of_pi_times(value, &sine, &cosine);
  return cosine;
}
static inline void sincospi(double value, double* sine, double* cosine) {
  convkit::simt::sincos_of_pi_times(value, sine, cosine);
}
inline float sinpif(float value) noexcept {
  return static_cast<float>(sinpi(static_cast<double>(value)));
}
inline float cospif(float value) noexcept {
  return static_cast<float>(cospi(static_cast<double>(value)));
}
static inline void sincospif(float value, float* sine, float* cosine) {
  double s, c;
  convkit::simt::sincos_of_pi_times(static_cast<double>(value), &s, &c);
  *sine = static_cast<float>(s);
  *cosine = static_cast<float>(c);
}

// lengths and their reciprocals
#define CONVKIT_SIMT_LENGTH(name, reciprocal, suffix, Real, parameters, ...)                \
  static inline Real name##suffix parameters {                                              \
    const Real values[] = {__VA_ARGS__};                                                    \
    return static_cast<Real>(                                                               \
        convkit::simt::length(values, static_cast<int>(sizeof values / sizeof(Real))));     \
  }                                                                                         \
  static inline Real reciprocal##suffix parameters {                                        \
    const Real values[] = {__VA_ARGS__};                                                    \
    return static_cast<Real>(                                                               \
        1 / convkit::simt::length(values, static_cast<int>(sizeof values / sizeof(Real)))); \
  }

CONVKIT_SIMT_LENGTH(norm3d, rnorm3d, , double, (double x, double y, double z), x, y, z)
CONVKIT_SIMT_LENGTH(norm3d, rnorm3d, f, float, (float x, float y, float z), x, y, z)
CONVKIT_SIMT_LENGTH(norm4d, rnorm4d, , double, (double x, double y, double z, double w), x, y, z, w)
CONVKIT_SIMT_LENGTH(norm4d, rnorm4d, f, float, (float x, float y, float z, float w), x, y, z, w)
#undef CONVKIT_SIMT_LENGTH

static inline double norm(int count, const double* values) {
  return convkit::simt::length(values, count);
}
static inline float normf(int count, const float* values) {
  return static_cast<float>(convkit::simt::length(values, count));
}
static inline double rnorm(int count, const double* values) {
  return 1 / convkit::simt::length(values, count);
}
static inline float rnormf(int count, const float* values) {
  return static_cast<float>(1 / convkit::simt::length(values, count));
}
static inline double rhypot(double x, double y) {
  return 1 / __builtin_hypot(x, y);
}
static inline float rhypotf(float x, float y) {
  return static_cast<float>(1 / __builtin_hypot(static_cast<double>(x), static_cast<double>(y)));
}
