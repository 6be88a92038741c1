// SPDX-License-Identifier: MIT
// CUDA's header of this name: __nv_bfloat16 and __nv_bfloat162, in software. Each operation is
// computed in float or double and rounded once, to nearest even.
#pragma once

#define __CUDA_BF16_H__

#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "simt/bfloat16_bits.h"

struct __attribute__((aligned(2))) __nv_bfloat16_raw {
  unsigned short x;
};
struct __attribute__((aligned(4))) __nv_bfloat162_raw {
  unsigned short x, y;
};

// Trivial to construct, so that it can be __shared__.
struct __attribute__((aligned(2))) __nv_bfloat16 {
  __nv_bfloat16() = default;
  constexpr __nv_bfloat16(const __nv_bfloat16_raw& raw) : __x(raw.x) {}
  __nv_bfloat16(float value) : __x(convkit::simt::bfloat16_bits(value)) {}
  __nv_bfloat16(double value) : __x(convkit::simt::bfloat16_bits(value)) {}
  __nv_bfloat16(__half value) : __nv_bfloat16(static_cast<float>(value)) {}
  __nv_bfloat16(short value) : __nv_bfloat16(static_cast<float>(value)) {}
  __nv_bfloat16(unsigned short value) : __nv_bfloat16(static_cast<float>(value)) {}
  __nv_bfloat16(int value) : __nv_bfloat16(static_cast<double>(value)) {}
  __nv_bfloat16(unsigned int value) : __nv_bfloat16(static_cast<double>(value)) {}
  __nv_bfloat16(long value) : __nv_bfloat16(static_cast<double>(value)) {}
  __nv_bfloat16(unsigned long value) : __nv_bfloat16(static_cast<double>(value)) {}
  __nv_bfloat16(long long value) : __nv_bfloat16(static_cast<double>(value)) {}
  __nv_bfloat16(unsigned long long value) : __nv_bfloat16(static_cast<double>(value)) {}

  operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{__x}; }
  operator float() const {
    const unsigned bits = static_cast<unsigned>(__x) << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
  constexpr explicit operator bool() const { return (__x & 0x7fff) != 0; }

 protected:
  unsigned short __x;
};

struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;

  __nv_bfloat162() = default;
  constexpr __nv_bfloat162(const __nv_bfloat16& low, const __nv_bfloat16& high) : x(low), y(high) {}
};

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

static inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 value) {
  return static_cast<__nv_bfloat16_raw>(value).x;
}
static inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
  return __nv_bfloat16(__nv_bfloat16_raw{bits});
}
#define CUDART_INF_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7f80))
#define CUDART_NAN_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7fff))
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7f7f))
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0000))
#define CUDART_ONE_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x3f80))

// conversions
static inline __nv_bfloat16 __float2bfloat16(float value) {
  return __nv_bfloat16(value);
}
static inline __nv_bfloat16 __float2bfloat16_rn(float value) {
  return __nv_bfloat16(value);
}
static inline __nv_bfloat16 __double2bfloat16(double value) {
  return __nv_bfloat16(value);
}
static inline __nv_bfloat16 __int2bfloat16_rn(int value) {
  return __nv_bfloat16(value);
}
static inline __nv_bfloat16 __uint2bfloat16_rn(unsigned value) {
  return __nv_bfloat16(value);
}
static inline float __bfloat162float(__nv_bfloat16 value) {
  return static_cast<float>(value);
}
static inline int __bfloat162int_rn(__nv_bfloat16 value) {
  return __float2int_rn(static_cast<float>(value));
}
static inline int __bfloat162int_rz(__nv_bfloat16 value) {
  return __float2int_rz(static_cast<float>(value));
}
static inline __nv_bfloat162 __floats2bfloat162_rn(float low, float high) {
  return __nv_bfloat162(__nv_bfloat16(low), __nv_bfloat16(high));
}
static inline __nv_bfloat162 __float22bfloat162_rn(float2 value) {
  return __floats2bfloat162_rn(value.x, value.y);
}
static inline __nv_bfloat162 __float2bfloat162_rn(float value) {
  return __floats2bfloat162_rn(value, value);
}
static inline float2 __bfloat1622float2(__nv_bfloat162 value) {
  return float2{static_cast<float>(value.x), static_cast<float>(value.y)};
}
static inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 value) {
  return __nv_bfloat162(value, value);
}
static inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) {
  return __nv_bfloat162(low, high);
}
static inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) {
  return __nv_bfloat162(low, high);
}
static inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 value) {
  return value.x;
}
static inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 value) {
  return value.y;
}
static inline float __low2float(__nv_bfloat162 value) {
  return static_cast<float>(value.x);
}
static inline float __high2float(__nv_bfloat162 value) {
  return static_cast<float>(value.y);
}

// arithmetic
#define CONVKIT_SIMT_BFLOAT16_BINARY(name, op)                                                 \
  static inline __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) {                         \
    return __nv_bfloat16(static_cast<double>(static_cast<float>(a))                            \
                             op static_cast<double>(static_cast<float>(b)));                   \
  }                                                                                            \
  static inline __nv_bfloat162 name##2(__nv_bfloat162 a, __nv_bfloat162 b) {                   \
    return __nv_bfloat162(name(a.x, b.x), name(a.y, b.y));                                     \
  }                                                                                            \
  static inline __nv_bfloat16 operator op(const __nv_bfloat16& a, const __nv_bfloat16& b) {    \
    return name(a, b);                                                                         \
  }                                                                                            \
  static inline __nv_bfloat16& operator op##=(__nv_bfloat16& a, const __nv_bfloat16& b) {      \
    return a = name(a, b);                                                                     \
  }                                                                                            \
  static inline __nv_bfloat162 operator op(const __nv_bfloat162& a, const __nv_bfloat162& b) { \
    return name##2(a, b);                                                                      \
  }                                                                                            \
  static inline __nv_bfloat162& operator op##=(__nv_bfloat162& a, const __nv_bfloat162& b) {   \
    return a = name##2(a, b);                                                                  \
  }
CONVKIT_SIMT_BFLOAT16_BINARY(__hadd, +)
CONVKIT_SIMT_BFLOAT16_BINARY(__hsub, -)
CONVKIT_SIMT_BFLOAT16_BINARY(__hmul, *)
CONVKIT_SIMT_BFLOAT16_BINARY(__hdiv, /)
#undef CONVKIT_SIMT_BFLOAT16_BINARY

static inline __nv_bfloat162 __h2div(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __hdiv2(a, b);
}
static inline __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  return __nv_bfloat16(convkit::simt::sum_to_odd(
      static_cast<double>(static_cast<float>(a)) * static_cast<double>(static_cast<float>(b)),
      static_cast<double>(static_cast<float>(c))));
}
static inline __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
  return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
static inline __nv_bfloat16 __hneg(__nv_bfloat16 value) {
  return __ushort_as_bfloat16(static_cast<unsigned short>(__bfloat16_as_ushort(value) ^ 0x8000));
}
static inline __nv_bfloat16 __habs(__nv_bfloat16 value) {
  return __ushort_as_bfloat16(static_cast<unsigned short>(__bfloat16_as_ushort(value) & 0x7fff));
}
static inline __nv_bfloat16 operator-(const __nv_bfloat16& value) {
  return __hneg(value);
}
static inline bool __hisnan(__nv_bfloat16 value) {
  return (__bfloat16_as_ushort(value) & 0x7fff) > 0x7f80;
}

#define CONVKIT_SIMT_BFLOAT16_COMPARISON(name, op)                                 \
  static inline bool name(__nv_bfloat16 a, __nv_bfloat16 b) {                      \
    return static_cast<float>(a) op static_cast<float>(b);                         \
  }                                                                                \
  static inline bool operator op(const __nv_bfloat16& a, const __nv_bfloat16& b) { \
    return static_cast<float>(a) op static_cast<float>(b);                         \
  }
CONVKIT_SIMT_BFLOAT16_COMPARISON(__heq, ==)
CONVKIT_SIMT_BFLOAT16_COMPARISON(__hne, !=)
CONVKIT_SIMT_BFLOAT16_COMPARISON(__hlt, <)
CONVKIT_SIMT_BFLOAT16_COMPARISON(__hle, <=)
CONVKIT_SIMT_BFLOAT16_COMPARISON(__hgt, >)
CONVKIT_SIMT_BFLOAT16_COMPARISON(__hge, >=)
#undef CONVKIT_SIMT_BFLOAT16_COMPARISON

// Of a NaN and a number, the number.
static inline __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat16(fmaxf(static_cast<float>(a), static_cast<float>(b)));
}
static inline __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat16(fminf(static_cast<float>(a), static_cast<float>(b)));
}

#define CONVKIT_SIMT_BFLOAT16_MATHS(name, function)            \
  static inline __nv_bfloat16 name(__nv_bfloat16 value) {      \
    return __nv_bfloat16(function(static_cast<float>(value))); \
  }
CONVKIT_SIMT_BFLOAT16_MATHS(hexp, expf)
CONVKIT_SIMT_BFLOAT16_MATHS(hlog, logf)
CONVKIT_SIMT_BFLOAT16_MATHS(hsqrt, sqrtf)
CONVKIT_SIMT_BFLOAT16_MATHS(hsin, sinf)
CONVKIT_SIMT_BFLOAT16_MATHS(hcos, cosf)
CONVKIT_SIMT_BFLOAT16_MATHS(htanh, tanhf)
#undef CONVKIT_SIMT_BFLOAT16_MATHS

// memory
static inline __nv_bfloat16 __ldg(const __nv_bfloat16* address) {
  return *address;
}
static inline __nv_bfloat16 __ldcs(const __nv_bfloat16* address) {
  return *address;
}
static inline void __stcs(__nv_bfloat16* address, __nv_bfloat16 value) {
  *address = value;
}

CONVKIT_SIMT_SHUFFLES(__nv_bfloat16)
CONVKIT_SIMT_SHUFFLES(__nv_bfloat162)

// Of a pair each half is added by itself, as in CUDA.
static inline __nv_bfloat16 atomicAdd(__nv_bfloat16* address, __nv_bfloat16 value) {
  return convkit::simt::fetch_and_change(
      address, [value](__nv_bfloat16 old_value) { return __hadd(old_value, value); });
}
static inline __nv_bfloat162 atomicAdd(__nv_bfloat162* address, __nv_bfloat162 value) {
  const __nv_bfloat16 low = atomicAdd(&address->x, value.x);
  return __nv_bfloat162(low, atomicAdd(&address->y, value.y));
}
