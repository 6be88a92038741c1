// SPDX-License-Identifier: MIT
// Arithmetic of half and half2, each operation rounded once.
#pragma once

#include "simt/half_conversions.h"
#include "simt/rounded_float.h"

// A float result has more than twice the digits of a half, so rounding it again to half gives what
// rounding the exact result would have given (for +, -, *, / and square roots).
static inline __half __hadd(__half left, __half right) {
  return __half(static_cast<float>(left) + static_cast<float>(right));
}
static inline __half __hsub(__half left, __half right) {
  return __half(static_cast<float>(left) - static_cast<float>(right));
}
static inline __half __hmul(__half left, __half right) {
  return __half(static_cast<float>(left) * static_cast<float>(right));
}
static inline __half __hdiv(__half left, __half right) {
  return __half(static_cast<float>(left) / static_cast<float>(right));
}
// The same where the compiler may not fuse them with other operations; it never does here.
static inline __half __hadd_rn(__half left, __half right) {
  return __hadd(left, right);
}
static inline __half __hsub_rn(__half left, __half right) {
  return __hsub(left, right);
}
static inline __half __hmul_rn(__half left, __half right) {
  return __hmul(left, right);
}

// The product is exact in double. Where the sum is not, its lost digits lie so far below those of a
// half that they cannot change the result.
static inline __half __hfma(__half left, __half right, __half summand) {
  return __half(static_cast<double>(static_cast<float>(left)) * static_cast<float>(right) +
                static_cast<float>(summand));
}

static inline __half __hneg(__half value) {
  const unsigned short bits = __half_as_ushort(value);
  if (convkit::simt::half_bits_are_nan(bits)) return CUDART_NAN_FP16;
  return __ushort_as_half(static_cast<unsigned short>(bits ^ 0x8000));
}
static inline __half __habs(__half value) {
  const unsigned short bits = __half_as_ushort(value);
  if (convkit::simt::half_bits_are_nan(bits)) return CUDART_NAN_FP16;
  return __ushort_as_half(static_cast<unsigned short>(bits & 0x7fff));
}

namespace convkit::simt {

// Cut to [0, 1]; NaN becomes 0.
static inline __half saturate(__half value) {
  const float number = static_cast<float>(value);
  return number >= 1 ? CUDART_ONE_FP16 : number > 0 ? value : CUDART_ZERO_FP16;
}

// Negative numbers become 0, NaN stays.
static inline __half rectify(__half value) {
  return static_cast<float>(value) <= 0 ? CUDART_ZERO_FP16 : value;
}

}  // namespace convkit::simt

static inline __half __hadd_sat(__half left, __half right) {
  return convkit::simt::saturate(__hadd(left, right));
}
static inline __half __hsub_sat(__half left, __half right) {
  return convkit::simt::saturate(__hsub(left, right));
}
static inline __half __hmul_sat(__half left, __half right) {
  return convkit::simt::saturate(__hmul(left, right));
}
static inline __half __hfma_sat(__half left, __half right, __half summand) {
  return convkit::simt::saturate(__hfma(left, right, summand));
}
static inline __half __hfma_relu(__half left, __half right, __half summand) {
  return convkit::simt::rectify(__hfma(left, right, summand));
}

// half2: the same on both parts
#define CONVKIT_SIMT_HALF2_UNARY(name, part)      \
  static inline __half2 name(__half2 value) {     \
    return __half2(part(value.x), part(value.y)); \
  }
#define CONVKIT_SIMT_HALF2_BINARY(name, part)                     \
  static inline __half2 name(__half2 left, __half2 right) {       \
    return __half2(part(left.x, right.x), part(left.y, right.y)); \
  }
#define CONVKIT_SIMT_HALF2_TERNARY(name, part)                                          \
  static inline __half2 name(__half2 left, __half2 right, __half2 summand) {            \
    return __half2(part(left.x, right.x, summand.x), part(left.y, right.y, summand.y)); \
  }

CONVKIT_SIMT_HALF2_BINARY(__hadd2, __hadd)
CONVKIT_SIMT_HALF2_BINARY(__hsub2, __hsub)
CONVKIT_SIMT_HALF2_BINARY(__hmul2, __hmul)
CONVKIT_SIMT_HALF2_BINARY(__h2div, __hdiv)
CONVKIT_SIMT_HALF2_BINARY(__hadd2_rn, __hadd)
CONVKIT_SIMT_HALF2_BINARY(__hsub2_rn, __hsub)
CONVKIT_SIMT_HALF2_BINARY(__hmul2_rn, __hmul)
CONVKIT_SIMT_HALF2_BINARY(__hadd2_sat, __hadd_sat)
CONVKIT_SIMT_HALF2_BINARY(__hsub2_sat, __hsub_sat)
CONVKIT_SIMT_HALF2_BINARY(__hmul2_sat, __hmul_sat)
CONVKIT_SIMT_HALF2_TERNARY(__hfma2, __hfma)
CONVKIT_SIMT_HALF2_TERNARY(__hfma2_sat, __hfma_sat)
CONVKIT_SIMT_HALF2_TERNARY(__hfma2_relu, __hfma_relu)
CONVKIT_SIMT_HALF2_UNARY(__hneg2, __hneg)
CONVKIT_SIMT_HALF2_UNARY(__habs2, __habs)

// Complex multiply and add: x is the real part, y the imaginary one.
static inline __half2 __hcmadd(__half2 left, __half2 right, __half2 summand) {
  const __half real = __hfma(left.x, right.x, summand.x);
  const __half imaginary = __hfma(left.x, right.y, summand.y);
  return __half2(__hfma(__hneg(left.y), right.y, real), __hfma(left.y, right.x, imaginary));
}
