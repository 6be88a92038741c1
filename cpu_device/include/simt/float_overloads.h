// SPDX-License-Identifier: MIT
// sinpi(float) and its like: CUDA's functions without the f, overloaded for float as in C++.
#pragma once

#include <math.h>

#include "simt/bessel_functions.h"
#include "simt/error_functions.h"
#include "simt/special_functions.h"

#define CONVKIT_SIMT_FLOAT_OVERLOAD(name) \
  static inline float name(float value) { \
    return name##f(value);                \
  }

CONVKIT_SIMT_FLOAT_OVERLOAD(rsqrt)
CONVKIT_SIMT_FLOAT_OVERLOAD(rcbrt)
CONVKIT_SIMT_FLOAT_OVERLOAD(sinpi)
CONVKIT_SIMT_FLOAT_OVERLOAD(cospi)
CONVKIT_SIMT_FLOAT_OVERLOAD(erfinv)
CONVKIT_SIMT_FLOAT_OVERLOAD(erfcinv)
CONVKIT_SIMT_FLOAT_OVERLOAD(erfcx)
CONVKIT_SIMT_FLOAT_OVERLOAD(normcdf)
CONVKIT_SIMT_FLOAT_OVERLOAD(normcdfinv)
CONVKIT_SIMT_FLOAT_OVERLOAD(cyl_bessel_i0)
CONVKIT_SIMT_FLOAT_OVERLOAD(cyl_bessel_i1)
#undef CONVKIT_SIMT_FLOAT_OVERLOAD

static inline float exp10(float value) {
  return ::exp10f(value);
}
static inline void sincos(float angle, float* sine, float* cosine) {
  *sine = __builtin_sinf(angle);
  *cosine = __builtin_cosf(angle);
}
static inline void sincospi(float value, float* sine, float* cosine) {
  sincospif(value, sine, cosine);
}
