// SPDX-License-Identifier: MIT
// __fadd_rn() and its like: float arithmetic that is rounded as the name says (to nearest, to zero,
// up, down) and never fused with its neighbours. A double holds products of floats exactly, which
// makes each error's sign easy to find.
#pragma once

#include "simt/rounding.h"

namespace convkit::simt {

// Keeps the compiler from making one fused operation of this result and the next.
template <class Real>
static inline Real unfused(Real value) {
#if defined(__FMA__)
  __asm__("" : "+x"(value));
#elif defined(__aarch64__)
  __asm__("" : "+w"(value));
#endif
  return value;
}

template <Rounding mode>
static inline float add(float left, float right) {
  const float sum = unfused(left + right);
  if (mode == Rounding::kNearest) return sum;
  return signed_zero<mode>(directed<mode>(sum, sum_error(left, right, sum)),
                           __builtin_signbit(left) || __builtin_signbit(right));
}

template <Rounding mode>
static inline float multiply(float left, float right) {
  const float product = unfused(left * right);
  if (mode == Rounding::kNearest) return product;
  return directed<mode>(product, static_cast<double>(left) * right - product);
}

template <Rounding mode>
static inline float divide(float left, float right) {
  const float quotient = left / right;
  if (mode == Rounding::kNearest) return quotient;
  const double remainder = left - static_cast<double>(quotient) * right;
  return directed<mode>(quotient, right < 0 ? -remainder : remainder);
}

template <Rounding mode>
static inline float square_root(float value) {
  const float root = __builtin_sqrtf(value);
  if (mode == Rounding::kNearest) return root;
  return directed<mode>(root, value - static_cast<double>(root) * root);
}

template <Rounding mode>
static inline float multiply_add(float left, float right, float summand) {
  const float result = __builtin_fmaf(left, right, summand);
  if (mode == Rounding::kNearest) return result;
  const double product = static_cast<double>(left) * right;
  const double sum = product + summand;
  const double rest = sum_error(product, static_cast<double>(summand), sum);
  const double error = (sum - result) + rest;
  const float rounded = directed<mode>(result, error);
  if (error != 0) return rounded;
  return signed_zero<mode>(rounded, __builtin_signbit(product) || __builtin_signbit(summand));
}

// 1 / sqrt(value), to nearest for every float: no result lies so close to the middle of two floats
// that the rounding of the double could reach across it.
static inline float reciprocal_root(float value) {
  return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(value)));
}

}  // namespace convkit::simt

CONVKIT_SIMT_ROUNDED(float, f, rn, kNearest)
CONVKIT_SIMT_ROUNDED(float, f, rz, kZero)
CONVKIT_SIMT_ROUNDED(float, f, ru, kUp)
CONVKIT_SIMT_ROUNDED(float, f, rd, kDown)
CONVKIT_SIMT_FUSED(float, __fmaf_rn, kNearest)
CONVKIT_SIMT_FUSED(float, __fmaf_rz, kZero)
CONVKIT_SIMT_FUSED(float, __fmaf_ru, kUp)
CONVKIT_SIMT_FUSED(float, __fmaf_rd, kDown)
CONVKIT_SIMT_FUSED(float, __fmaf_ieee_rn, kNearest)
CONVKIT_SIMT_FUSED(float, __fmaf_ieee_rz, kZero)
CONVKIT_SIMT_FUSED(float, __fmaf_ieee_ru, kUp)
CONVKIT_SIMT_FUSED(float, __fmaf_ieee_rd, kDown)

static inline float __frsqrt_rn(float value) {
  return convkit::simt::reciprocal_root(value);
}
