// SPDX-License-Identifier: MIT
// Modified Bessel functions of the first kind, orders 0 and 1. (Those of other kinds are the C
// library's.)
#pragma once

namespace convkit::simt {

// For value >= 0: the power series, or, where that grows long, the asymptotic one (Abramowitz and
// Stegun, 9.6.10 and 9.7.1). Both have a next term from the last one.
static inline double modified_bessel(int order, double value) {
  if (!(value < 1000)) return value * 0x1p+1000;  // infinite, or NaN
  double term = 1, sum = 1;
  if (value < 25) {
    const double square = value * value / 4;
    for (int k = 1; term > sum * 0x1p-54; ++k) {
      term *= square / (k * (k + order));
      sum += term;
    }
    return order == 0 ? sum : sum * value / 2;
  }
  const double size = 4.0 * order * order;
  for (int k = 1; __builtin_fabs(term) > 0x1p-54; ++k) {
    term *= ((2.0 * k - 1) * (2.0 * k - 1) - size) / (8 * k * value);
    sum += term;
  }
  constexpr double kTwoPi = 6.28318530717958647692;
  const double root =
      __builtin_exp(value / 2);  // its square may overflow where the result does not
  return root * (sum / __builtin_sqrt(kTwoPi * value)) * root;
}

}  // namespace convkit::simt

static inline double cyl_bessel_i0(double value) {
  return convkit::simt::modified_bessel(0, __builtin_fabs(value));
}
static inline double cyl_bessel_i1(double value) {
  return __builtin_copysign(convkit::simt::modified_bessel(1, __builtin_fabs(value)), value);
}
static inline float cyl_bessel_i0f(float value) {
  return static_cast<float>(cyl_bessel_i0(static_cast<double>(value)));
}
static inline float cyl_bessel_i1f(float value) {
  return static_cast<float>(cyl_bessel_i1(static_cast<double>(value)));
}
