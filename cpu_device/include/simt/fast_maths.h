// SPDX-License-Identifier: MIT
// The fast forms: __expf() and its like. They are exact here to the last bits of the C library,
// where a GPU trades accuracy for speed; what they do to extreme arguments is the GPU's.
#pragma once

#include <math.h>

#include "simt/attributes.h"

// The C library declares these names for its own use, so they must be extern "C".
#define CONVKIT_SIMT_FAST(name, expression)            \
  extern "C" inline float name(float value) noexcept { \
    return expression;                                 \
  }

CONVKIT_SIMT_FAST(__sinf, __builtin_sinf(value))
CONVKIT_SIMT_FAST(__cosf, __builtin_cosf(value))
CONVKIT_SIMT_FAST(__tanf, __builtin_tanf(value))
CONVKIT_SIMT_FAST(__tanhf, __builtin_tanhf(value))
CONVKIT_SIMT_FAST(__expf, __builtin_expf(value))
CONVKIT_SIMT_FAST(__exp10f, ::exp10f(value))
CONVKIT_SIMT_FAST(__logf, __builtin_logf(value))
CONVKIT_SIMT_FAST(__log2f, __builtin_log2f(value))
CONVKIT_SIMT_FAST(__log10f, __builtin_log10f(value))
#undef CONVKIT_SIMT_FAST

// By way of a logarithm: a negative base gives NaN whatever the exponent.
extern "C" inline float __powf(float base, float power) noexcept {
  return __builtin_exp2f(power * __builtin_log2f(base));
}

extern "C" inline void __sincosf(float angle, float* sine, float* cosine) noexcept {
  *sine = __builtin_sinf(angle);
  *cosine = __builtin_cosf(angle);
}

// The reciprocal of a divisor above 2^126 vanishes.
static inline float fdividef(float dividend, float divisor) {
  return dividend / divisor;
}
static inline float __fdividef(float dividend, float divisor) {
  const float size = __builtin_fabsf(divisor);
  if (size > 0x1p126f && !__builtin_isinf(size)) return dividend * __builtin_copysignf(0, divisor);
  return dividend / divisor;
}

// Cut to [0, 1]; NaN becomes 0.
static inline float __saturatef(float value) {
  return value > 0 ? (value < 1 ? value : 1) : 0;
}
