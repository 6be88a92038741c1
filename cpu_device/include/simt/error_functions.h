// SPDX-License-Identifier: MIT
// The relatives of erf(): scaled, inverse, and the normal distribution.
#pragma once

namespace convkit::simt {

constexpr double kTwoOverRootPi = 1.12837916709551257390;

}  // namespace convkit::simt

// exp(value^2) * erfc(value).
static inline double erfcx(double value) {
  if (value > 20) {
    // The asymptotic series, whose terms fall by 1/(2 value^2) each at first.
    const double step = 1 / (2 * value * value);
    double term = 1, sum = 1;
    for (int i = 1; i <= 9; ++i) {
      term *= -(2 * i - 1) * step;
      sum += term;
    }
    return sum / value * (convkit::simt::kTwoOverRootPi / 2);
  }
  const double square = value * value;
  const double rest = __builtin_fma(value, value, -square);
  const double factor = __builtin_exp(square);
  if (__builtin_isinf(factor)) return factor;
  return factor * (1 + rest) * __builtin_erfc(value);
}
static inline float erfcxf(float value) {
  return static_cast<float>(erfcx(static_cast<double>(value)));
}

static inline double erfinv(double value);

// The number whose erfc is `value`: an estimate, then Halley's iteration, which triples the number
// of right digits each time. Where erfc is close to 1, erf says more about the result.
static inline double erfcinv(double value) {
  if (!(value >= 0 && value <= 2)) return __builtin_nan("");
  if (value == 0) return __builtin_inf();
  if (value == 2) return -__builtin_inf();
  if (value > 1.5) return -erfcinv(2 - value);
  if (value > 0.5) return erfinv(1 - value);
  // Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.22.
  const double t = __builtin_sqrt(-2 * __builtin_log(value / 2));
  double x =
      0.70710678118654752440 * (t - (2.30753 + 0.27061 * t) / (1 + t * (0.99229 + t * 0.04481)));
  for (int i = 0; i < 3; ++i) {
    const double slope = convkit::simt::kTwoOverRootPi * __builtin_exp(-x * x);
    if (slope == 0) break;
    const double newton = (__builtin_erfc(x) - value) / slope;
    x += newton / (1 - x * newton);
  }
  return x;
}

static inline double erfinv(double value) {
  if (value > 0.5) return erfcinv(1 - value);
  if (value < -0.5) return -erfcinv(1 + value);
  // Almost a straight line.
  double x = value / convkit::simt::kTwoOverRootPi;
  for (int i = 0; i < 4; ++i) {
    const double newton =
        (__builtin_erf(x) - value) / (convkit::simt::kTwoOverRootPi * __builtin_exp(-x * x));
    x -= newton / (1 + x * newton);
  }
  return x;
}

static inline float erfcinvf(float value) {
  return static_cast<float>(erfcinv(static_cast<double>(value)));
}
static inline float erfinvf(float value) {
  return static_cast<float>(erfinv(static_cast<double>(value)));
}

// The normal distribution. What dividing by sqrt(2) rounds off matters far out, where erfc is
// steep.
static inline double normcdf(double value) {
  constexpr double kHigh = 0.70710678118654757, kLow = -4.8336466567264567e-17;
  const double x = -value * kHigh;
  const double rest = -__builtin_fma(value, kHigh, x) - value * kLow;
  const double result = __builtin_erfc(x) / 2;
  if (!(__builtin_fabs(value) < 40)) return result;
  return result - rest * (convkit::simt::kTwoOverRootPi / 2) * __builtin_exp(-x * x);
}
static inline float normcdff(float value) {
  return static_cast<float>(normcdf(static_cast<double>(value)));
}
static inline double normcdfinv(double value) {
  return -1.41421356237309504880 * erfcinv(2 * value);
}
static inline float normcdfinvf(float value) {
  return static_cast<float>(normcdfinv(static_cast<double>(value)));
}
