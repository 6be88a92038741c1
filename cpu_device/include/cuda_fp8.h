// SPDX-License-Identifier: MIT
// CUDA's header of this name: numbers of 8 bits, with 4 bits of exponent and 3 of fraction (e4m3,
// which has no infinity) or 5 and 2 (e5m2). They are stored and converted, not computed with.
// __nv_fp8_e8m0 is not there.
#pragma once

#define __CUDA_FP8_H__
#define __CUDA_FP8_TYPES_EXIST__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

// What becomes of a value beyond the largest number: infinity (e5m2) or NaN (e4m3), or the largest
// number, of infinity, too.
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

// Rounds to nearest, ties to even.
static inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double value, __nv_saturation_t saturation,
                                                        __nv_fp8_interpretation_t kind) {
  const int digits = kind == __NV_E4M3 ? 3 : 2;    // of the fraction
  const int least = kind == __NV_E4M3 ? -6 : -14;  // exponent of a normal number
  const unsigned largest = kind == __NV_E4M3 ? 0x7e : 0x7b;
  const unsigned long long bits = convkit::simt::bits_as<unsigned long long>(value);
  const unsigned sign = bits >> 63 != 0 ? 0x80 : 0;
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  const unsigned long long fraction = bits & 0xfffffffffffffull;
  if (exponent == 1024 && fraction != 0) {
    const unsigned nan = kind == __NV_E4M3 ? 0x7f : 0x7e | static_cast<unsigned>(fraction >> 50);
    return static_cast<__nv_fp8_storage_t>(sign | nan);
  }
  unsigned size = 0;
  if (exponent > 15) {
    size = largest + 1;
  } else if (exponent >= least - digits - 1) {
    // Subnormal numbers keep fewer digits.
    const int cut = 52 - digits + (exponent < least ? least - exponent : 0);
    const unsigned long long all = fraction | 1ull << 52;
    size = static_cast<unsigned>(all >> cut);
    if (exponent > least) size += static_cast<unsigned>(exponent - least) << digits;
    const bool up = convkit::simt::rounds_up<convkit::simt::Rounding::kNearest>(
        false, size, all & ((1ull << cut) - 1), 1ull << (cut - 1));
    if (up) ++size;
  }
  if (size > largest) {
    size = saturation == __NV_SATFINITE ? largest : kind == __NV_E4M3 ? 0x7f : 0x7c;
  }
  return static_cast<__nv_fp8_storage_t>(sign | size);
}

static inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float value, __nv_saturation_t saturation,
                                                       __nv_fp8_interpretation_t kind) {
  if (value != value) return 0x7f;
  return __nv_cvt_double_to_fp8(static_cast<double>(value), saturation, kind);
}
static inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw value,
                                                         __nv_saturation_t saturation,
                                                         __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(convkit::simt::float_from_half_bits(value.x), saturation, kind);
}
static inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw value,
                                                             __nv_saturation_t saturation,
                                                             __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(static_cast<float>(__nv_bfloat16(value)), saturation, kind);
}

// Every number is a half, too. All NaNs become one.
static inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t bits,
                                                 __nv_fp8_interpretation_t kind) {
  const unsigned sign = (bits & 0x80u) << 8, size = bits & 0x7fu;
  const bool is_nan = kind == __NV_E4M3 ? size == 0x7f : size > 0x7c;
  if (is_nan) return __half_raw{0x7fff};
  if (kind == __NV_E5M2) return __half_raw{static_cast<unsigned short>(sign | size << 8)};
  // 8 = 15 - 7, the biases of the exponents.
  if (size >= 8) return __half_raw{static_cast<unsigned short>(sign | ((size << 7) + (8u << 10)))};
  const __half_raw subnormal = __half(static_cast<float>(size) * 0x1p-9f);
  return __half_raw{static_cast<unsigned short>(sign | subnormal.x)};
}

// Pairs: the first number is the lower byte.
static inline __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 value,
                                                             __nv_saturation_t saturation,
                                                             __nv_fp8_interpretation_t kind) {
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_double_to_fp8(value.x, saturation, kind) |
                                           __nv_cvt_double_to_fp8(value.y, saturation, kind) << 8);
}
static inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 value,
                                                            __nv_saturation_t saturation,
                                                            __nv_fp8_interpretation_t kind) {
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_float_to_fp8(value.x, saturation, kind) |
                                           __nv_cvt_float_to_fp8(value.y, saturation, kind) << 8);
}
static inline __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw value,
                                                              __nv_saturation_t saturation,
                                                              __nv_fp8_interpretation_t kind) {
  return static_cast<__nv_fp8x2_storage_t>(
      __nv_cvt_halfraw_to_fp8(__half_raw{value.x}, saturation, kind) |
      __nv_cvt_halfraw_to_fp8(__half_raw{value.y}, saturation, kind) << 8);
}
static inline __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw value,
                                                                  __nv_saturation_t saturation,
                                                                  __nv_fp8_interpretation_t kind) {
  return static_cast<__nv_fp8x2_storage_t>(
      __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{value.x}, saturation, kind) |
      __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{value.y}, saturation, kind) << 8);
}
static inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t bits,
                                                     __nv_fp8_interpretation_t kind) {
  return __half2_raw{__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(bits), kind).x,
                     __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(bits >> 8), kind).x};
}

namespace convkit::simt {

// What the classes have in common. All conversions are asked for by name, and those from numbers
// saturate. Trivial to construct, so that they can be __shared__.
template <__nv_fp8_interpretation_t kind>
struct __attribute__((aligned(1))) Fp8 {
  __nv_fp8_storage_t __x;

  Fp8() = default;
  explicit Fp8(__half value) : __x(__nv_cvt_halfraw_to_fp8(value, __NV_SATFINITE, kind)) {}
  explicit Fp8(__nv_bfloat16 value)
      : __x(__nv_cvt_bfloat16raw_to_fp8(value, __NV_SATFINITE, kind)) {}
  explicit Fp8(float value) : __x(__nv_cvt_float_to_fp8(value, __NV_SATFINITE, kind)) {}
  explicit Fp8(double value) : __x(__nv_cvt_double_to_fp8(value, __NV_SATFINITE, kind)) {}
  explicit Fp8(short value) : Fp8(static_cast<float>(value)) {}
  explicit Fp8(unsigned short value) : Fp8(static_cast<float>(value)) {}
  explicit Fp8(int value) : Fp8(static_cast<float>(value)) {}
  explicit Fp8(unsigned int value) : Fp8(static_cast<float>(value)) {}
  explicit Fp8(long value) : Fp8(static_cast<float>(value)) {}
  explicit Fp8(unsigned long value) : Fp8(static_cast<float>(value)) {}
  explicit Fp8(long long value) : Fp8(static_cast<float>(value)) {}
  explicit Fp8(unsigned long long value) : Fp8(static_cast<float>(value)) {}

  explicit operator __half() const { return __half(__nv_cvt_fp8_to_halfraw(__x, kind)); }
  explicit operator float() const { return static_cast<float>(half_value()); }
  explicit operator double() const { return static_cast<double>(static_cast<float>(*this)); }
  explicit operator __nv_bfloat16() const { return __nv_bfloat16(static_cast<float>(*this)); }
  explicit operator signed char() const { return static_cast<signed char>(half_value()); }
  explicit operator unsigned char() const { return static_cast<unsigned char>(half_value()); }
  explicit operator char() const { return static_cast<char>(half_value()); }
  explicit operator short() const { return static_cast<short>(half_value()); }
  explicit operator unsigned short() const { return static_cast<unsigned short>(half_value()); }
  explicit operator int() const { return static_cast<int>(half_value()); }
  explicit operator unsigned int() const { return static_cast<unsigned int>(half_value()); }
  explicit operator long() const { return static_cast<long>(half_value()); }
  explicit operator unsigned long() const { return static_cast<unsigned long>(half_value()); }
  explicit operator long long() const { return static_cast<long long>(half_value()); }
  explicit operator unsigned long long() const {
    return static_cast<unsigned long long>(half_value());
  }
  explicit operator bool() const { return (__x & 0x7f) != 0; }

 private:
  __half half_value() const { return static_cast<__half>(*this); }
};

template <__nv_fp8_interpretation_t kind>
struct __attribute__((aligned(2))) Fp8Pair {
  __nv_fp8x2_storage_t __x;

  Fp8Pair() = default;
  explicit Fp8Pair(__half2 value) : __x(__nv_cvt_halfraw2_to_fp8x2(value, __NV_SATFINITE, kind)) {}
  explicit Fp8Pair(__nv_bfloat162 value)
      : __x(__nv_cvt_bfloat16raw2_to_fp8x2(
            __nv_bfloat162_raw{static_cast<__nv_bfloat16_raw>(value.x).x,
                               static_cast<__nv_bfloat16_raw>(value.y).x},
            __NV_SATFINITE, kind)) {}
  explicit Fp8Pair(float2 value) : __x(__nv_cvt_float2_to_fp8x2(value, __NV_SATFINITE, kind)) {}
  explicit Fp8Pair(double2 value) : __x(__nv_cvt_double2_to_fp8x2(value, __NV_SATFINITE, kind)) {}

  explicit operator __half2() const { return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, kind)); }
  explicit operator float2() const {
    const __half2 values = static_cast<__half2>(*this);
    return float2{static_cast<float>(values.x), static_cast<float>(values.y)};
  }
};

template <__nv_fp8_interpretation_t kind>
struct __attribute__((aligned(4))) Fp8Four {
  __nv_fp8x4_storage_t __x;

  Fp8Four() = default;
  explicit Fp8Four(__half2 low, __half2 high) : Fp8Four(Pair(low), Pair(high)) {}
  explicit Fp8Four(__nv_bfloat162 low, __nv_bfloat162 high) : Fp8Four(Pair(low), Pair(high)) {}
  explicit Fp8Four(float4 value)
      : Fp8Four(Pair(float2{value.x, value.y}), Pair(float2{value.z, value.w})) {}
  explicit Fp8Four(double4 value)
      : Fp8Four(Pair(double2{value.x, value.y}), Pair(double2{value.z, value.w})) {}

  explicit operator float4() const {
    Pair low, high;
    low.__x = static_cast<__nv_fp8x2_storage_t>(__x);
    high.__x = static_cast<__nv_fp8x2_storage_t>(__x >> 16);
    const float2 first = static_cast<float2>(low), last = static_cast<float2>(high);
    return float4{first.x, first.y, last.x, last.y};
  }

 private:
  using Pair = Fp8Pair<kind>;
  Fp8Four(Pair low, Pair high) : __x(low.__x | static_cast<unsigned>(high.__x) << 16) {}
};

}  // namespace convkit::simt

struct __nv_fp8_e4m3 : convkit::simt::Fp8<__NV_E4M3> {
  using Fp8::Fp8;
  __nv_fp8_e4m3() = default;
};
struct __nv_fp8_e5m2 : convkit::simt::Fp8<__NV_E5M2> {
  using Fp8::Fp8;
  __nv_fp8_e5m2() = default;
};
struct __nv_fp8x2_e4m3 : convkit::simt::Fp8Pair<__NV_E4M3> {
  using Fp8Pair::Fp8Pair;
  __nv_fp8x2_e4m3() = default;
};
struct __nv_fp8x2_e5m2 : convkit::simt::Fp8Pair<__NV_E5M2> {
  using Fp8Pair::Fp8Pair;
  __nv_fp8x2_e5m2() = default;
};
struct __nv_fp8x4_e4m3 : convkit::simt::Fp8Four<__NV_E4M3> {
  using Fp8Four::Fp8Four;
  __nv_fp8x4_e4m3() = default;
};
struct __nv_fp8x4_e5m2 : convkit::simt::Fp8Four<__NV_E5M2> {
  using Fp8Four::Fp8Four;
  __nv_fp8x4_e5m2() = default;
};
