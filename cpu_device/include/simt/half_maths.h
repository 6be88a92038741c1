// SPDX-License-Identifier: MIT
// Mathematical functions of half and half2: computed in float, rounded to half.
#pragma once

#include <math.h>

#include "simt/half_comparisons.h"

#define CONVKIT_SIMT_HALF_FUNCTION(name, expression) \
  static inline __half h##name(__half value) {       \
    const float number = static_cast<float>(value);  \
    return __half(expression);                       \
  }                                                  \
  CONVKIT_SIMT_HALF2_UNARY(h2##name, h##name)

CONVKIT_SIMT_HALF_FUNCTION(sqrt, __builtin_sqrtf(number))
CONVKIT_SIMT_HALF_FUNCTION(rsqrt, 1 / __builtin_sqrtf(number))
CONVKIT_SIMT_HALF_FUNCTION(rcp, 1 / number)
CONVKIT_SIMT_HALF_FUNCTION(log, __builtin_logf(number))
CONVKIT_SIMT_HALF_FUNCTION(log2, __builtin_log2f(number))
CONVKIT_SIMT_HALF_FUNCTION(log10, __builtin_log10f(number))
CONVKIT_SIMT_HALF_FUNCTION(exp, __builtin_expf(number))
CONVKIT_SIMT_HALF_FUNCTION(exp2, __builtin_exp2f(number))
CONVKIT_SIMT_HALF_FUNCTION(exp10, ::exp10f(number))
CONVKIT_SIMT_HALF_FUNCTION(sin, __builtin_sinf(number))
CONVKIT_SIMT_HALF_FUNCTION(cos, __builtin_cosf(number))
CONVKIT_SIMT_HALF_FUNCTION(tanh, __builtin_tanhf(number))
CONVKIT_SIMT_HALF_FUNCTION(tanh_approx, __builtin_tanhf(number))
CONVKIT_SIMT_HALF_FUNCTION(trunc, __builtin_truncf(number))
CONVKIT_SIMT_HALF_FUNCTION(ceil, __builtin_ceilf(number))
CONVKIT_SIMT_HALF_FUNCTION(floor, __builtin_floorf(number))
CONVKIT_SIMT_HALF_FUNCTION(rint, __builtin_rintf(number))
#undef CONVKIT_SIMT_HALF_FUNCTION
