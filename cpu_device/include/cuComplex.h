// SPDX-License-Identifier: MIT
// CUDA's header of this name: complex numbers as pairs, x the real part and y the imaginary part,
// for host and kernels. Quotients and magnitudes are scaled, so that no square overflows.
#pragma once

#define CU_COMPLEX_H_

#include <cmath>

#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

namespace convkit::simt {

template <class Pair>
static inline Pair complex_product(const Pair& a, const Pair& b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

template <class Pair, class Real>
static inline Pair complex_quotient(const Pair& a, const Pair& b, Real one) {
  const Real inverse = one / (std::fabs(b.x) + std::fabs(b.y));
  const Pair n{a.x * inverse, a.y * inverse}, d{b.x * inverse, b.y * inverse};
  const Real factor = one / (d.x * d.x + d.y * d.y);
  return {(n.x * d.x + n.y * d.y) * factor, (n.y * d.x - n.x * d.y) * factor};
}

template <class Pair>
static inline Pair complex_fused(const Pair& a, const Pair& b, const Pair& c) {
  const auto x = a.x * b.x + c.x, y = b.y * a.x + c.y;
  return {x - a.y * b.y, a.y * b.x + y};
}

}  // namespace convkit::simt

static inline cuFloatComplex make_cuFloatComplex(float x, float y) {
  return {x, y};
}
static inline float cuCrealf(cuFloatComplex a) {
  return a.x;
}
static inline float cuCimagf(cuFloatComplex a) {
  return a.y;
}
static inline cuFloatComplex cuConjf(cuFloatComplex a) {
  return {a.x, -a.y};
}
static inline cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b) {
  return {a.x + b.x, a.y + b.y};
}
static inline cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b) {
  return {a.x - b.x, a.y - b.y};
}
static inline cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b) {
  return ::convkit::simt::complex_product(a, b);
}
static inline cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b) {
  return ::convkit::simt::complex_quotient(a, b, 1.0f);
}
static inline float cuCabsf(cuFloatComplex a) {
  return ::hypotf(a.x, a.y);
}
// a * b + c
static inline cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b, cuFloatComplex c) {
  return ::convkit::simt::complex_fused(a, b, c);
}

static inline cuDoubleComplex make_cuDoubleComplex(double x, double y) {
  return {x, y};
}
static inline double cuCreal(cuDoubleComplex a) {
  return a.x;
}
static inline double cuCimag(cuDoubleComplex a) {
  return a.y;
}
static inline cuDoubleComplex cuConj(cuDoubleComplex a) {
  return {a.x, -a.y};
}
static inline cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b) {
  return {a.x + b.x, a.y + b.y};
}
static inline cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b) {
  return {a.x - b.x, a.y - b.y};
}
static inline cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b) {
  return ::convkit::simt::complex_product(a, b);
}
static inline cuDoubleComplex cuCdiv(cuDoubleComplex a, cuDoubleComplex b) {
  return ::convkit::simt::complex_quotient(a, b, 1.0);
}
static inline double cuCabs(cuDoubleComplex a) {
  return ::hypot(a.x, a.y);
}
// a * b + c
static inline cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) {
  return ::convkit::simt::complex_fused(a, b, c);
}

static inline cuComplex make_cuComplex(float x, float y) {
  return {x, y};
}
static inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) {
  return {a.x, a.y};
}
static inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y)};
}
