// SPDX-License-Identifier: MIT
// half and half2: CUDA's classes with CUDA's conversions, trivial to construct so that they can be
// __shared__.
#pragma once

#include "simt/casts.h"
#include "simt/half_bits.h"
#include "simt/vector_types.h"

struct __attribute__((aligned(2))) __half_raw {
  unsigned short x;
};
struct __attribute__((aligned(4))) __half2_raw {
  unsigned short x, y;
};

// Conversions from numbers round to nearest, those to integers cut and saturate, as casts do.
struct __attribute__((aligned(2))) __half {
  __half() = default;
  constexpr __half(const __half_raw& raw) : __x(raw.x) {}
  __half(float value) : __half(static_cast<double>(value)) {}
  __half(double value)
      : __x(convkit::simt::half_bits_from_double<convkit::simt::Rounding::kNearest>(value)) {}
  __half(short value) : __half(static_cast<double>(value)) {}
  __half(unsigned short value) : __half(static_cast<double>(value)) {}
  __half(int value) : __half(static_cast<double>(value)) {}
  __half(unsigned int value) : __half(static_cast<double>(value)) {}
  // Values that a double cannot hold are far beyond the largest half.
  __half(long value) : __half(static_cast<double>(value)) {}
  __half(unsigned long value) : __half(static_cast<double>(value)) {}
  __half(long long value) : __half(static_cast<double>(value)) {}
  __half(unsigned long long value) : __half(static_cast<double>(value)) {}

  operator __half_raw() const { return __half_raw{__x}; }
  operator float() const { return convkit::simt::float_from_half_bits(__x); }
  operator signed char() const { return cut<signed char>(); }
  operator unsigned char() const { return cut<unsigned char>(); }
  operator char() const { return cut<char>(); }
  operator short() const { return cut<short>(); }
  operator unsigned short() const { return cut<unsigned short>(); }
  operator int() const { return cut<int>(); }
  operator unsigned int() const { return cut<unsigned int>(); }
  operator long() const { return cut<long>(); }
  operator unsigned long() const { return cut<unsigned long>(); }
  operator long long() const { return cut<long long>(); }
  operator unsigned long long() const { return cut<unsigned long long>(); }
  constexpr operator bool() const { return (__x & 0x7fff) != 0; }

  __half& operator=(const __half_raw& raw) { return *this = __half(raw); }
  __half& operator=(float value) { return *this = __half(value); }
  __half& operator=(double value) { return *this = __half(value); }
  __half& operator=(short value) { return *this = __half(value); }
  __half& operator=(unsigned short value) { return *this = __half(value); }
  __half& operator=(int value) { return *this = __half(value); }
  __half& operator=(unsigned int value) { return *this = __half(value); }
  __half& operator=(long long value) { return *this = __half(value); }
  __half& operator=(unsigned long long value) { return *this = __half(value); }

 protected:
  template <class Integer>
  Integer cut() const {
    return convkit::simt::to_integer<Integer, convkit::simt::Rounding::kZero, false>(
        static_cast<double>(static_cast<float>(*this)));
  }

  unsigned short __x;
};

struct __attribute__((aligned(4))) __half2 {
  __half x, y;

  __half2() = default;
  constexpr __half2(const __half& low, const __half& high) : x(low), y(high) {}
  __half2(const __half2_raw& raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
  operator __half2_raw() const {
    return __half2_raw{static_cast<__half_raw>(x).x, static_cast<__half_raw>(y).x};
  }
};

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

static inline unsigned short __half_as_ushort(__half value) {
  return static_cast<__half_raw>(value).x;
}
static inline short __half_as_short(__half value) {
  return static_cast<short>(__half_as_ushort(value));
}
static inline __half __ushort_as_half(unsigned short bits) {
  return __half(__half_raw{bits});
}
static inline __half __short_as_half(short bits) {
  return __ushort_as_half(static_cast<unsigned short>(bits));
}

#define CUDART_INF_FP16 __ushort_as_half(static_cast<unsigned short>(0x7c00))
#define CUDART_NAN_FP16 __ushort_as_half(static_cast<unsigned short>(0x7fff))
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(static_cast<unsigned short>(0x0001))
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(static_cast<unsigned short>(0x7bff))
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x8000))
#define CUDART_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x0000))
#define CUDART_ONE_FP16 __ushort_as_half(static_cast<unsigned short>(0x3c00))
