// SPDX-License-Identifier: MIT
// __dadd_rn() and its like: the double twin of rounded_float.h. Errors come from fused operations;
// tiny operands are scaled first, because an error below the smallest number would be lost.
#pragma once

#include "simt/rounded_float.h"

namespace convkit::simt {

#if __LDBL_MANT_DIG__ == 113
using Quad = long double;
#else
__extension__ typedef __float128 Quad;
#endif

constexpr double kTiny = 0x1p-900;
constexpr double kScale = 0x1p600;

static inline bool is_tiny(double value) {
  return __builtin_fabs(value) < kTiny;
}

template <Rounding mode>
static inline double add(double left, double right) {
  const double sum = unfused(left + right);
  if (mode == Rounding::kNearest) return sum;
  return signed_zero<mode>(directed<mode>(sum, sum_error(left, right, sum)),
                           __builtin_signbit(left) || __builtin_signbit(right));
}

template <Rounding mode>
static inline double multiply(double left, double right) {
  const double product = unfused(left * right);
  if (mode == Rounding::kNearest) return product;
  const double error =
      is_tiny(product) ? __builtin_fma(left * kScale, right * kScale, -(product * kScale * kScale))
                       : __builtin_fma(left, right, -product);
  return directed<mode>(product, error);
}

template <Rounding mode>
static inline double divide(double left, double right) {
  const double quotient = left / right;
  if (mode == Rounding::kNearest) return quotient;
  const bool scaled = is_tiny(left) && __builtin_fabs(right) < 1 / kTiny;
  const double scale = scaled ? 0x1p120 : 1;
  const double remainder = __builtin_fma(-quotient, right * scale, left * scale);
  return directed<mode>(quotient, right < 0 ? -remainder : remainder);
}

template <Rounding mode>
static inline double square_root(double value) {
  const double root = __builtin_sqrt(value);
  if (mode == Rounding::kNearest) return root;
  const double scale = is_tiny(value) ? kScale : 1;
  return directed<mode>(root, __builtin_fma(-root * scale, root * scale, value * scale * scale));
}

// A product of doubles is exact in quadruple precision, and so is what its sum with the summand
// leaves over.
template <Rounding mode>
static inline double multiply_add(double left, double right, double summand) {
  const double result = __builtin_fma(left, right, summand);
  if (mode == Rounding::kNearest) return result;
  if (!__builtin_isfinite(left) || !__builtin_isfinite(right) || !__builtin_isfinite(summand)) {
    return result;
  }
  const Quad product = static_cast<Quad>(left) * right;
  const Quad sum = product + summand;
  const Quad part = sum - product;
  const Quad rest = (product - (sum - part)) + (summand - part);
  const Quad error = (sum - result) + rest;
  const double rounded = directed<mode>(result, error);
  if (error != 0) return rounded;
  return signed_zero<mode>(
      rounded, __builtin_signbit(left) != __builtin_signbit(right) || __builtin_signbit(summand));
}

}  // namespace convkit::simt

CONVKIT_SIMT_ROUNDED(double, d, rn, kNearest)
CONVKIT_SIMT_ROUNDED(double, d, rz, kZero)
CONVKIT_SIMT_ROUNDED(double, d, ru, kUp)
CONVKIT_SIMT_ROUNDED(double, d, rd, kDown)
CONVKIT_SIMT_FUSED(double, __fma_rn, kNearest)
CONVKIT_SIMT_FUSED(double, __fma_rz, kZero)
CONVKIT_SIMT_FUSED(double, __fma_ru, kUp)
CONVKIT_SIMT_FUSED(double, __fma_rd, kDown)
