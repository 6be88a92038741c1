// SPDX-License-Identifier: MIT
// Type casts against long double and integer arithmetic.
#include "simt/casts.h"

#include <cmath>
#include <iomanip>

#include "catch.h"
#include "random_values.h"

namespace convkit {
namespace {

using test::RandomValues;
using test::same;

enum class Mode { kNearest, kZero, kUp, kDown };

long double rounded(long double value, Mode mode) {
  switch (mode) {
    case Mode::kZero:
      return std::trunc(value);
    case Mode::kUp:
      return std::ceil(value);
    case Mode::kDown:
      return std::floor(value);
    default:
      break;
  }
  const long double below = std::floor(value), part = value - below;
  if (part != 0.5L) return part < 0.5L ? below : below + 1;
  return std::fmod(below, 2.0L) == 0 ? below : below + 1;
}

// What the GPU's cvt instruction gives.
template <class Integer, class Real>
Integer expected_integer(Real value, Mode mode) {
  using Limits = std::numeric_limits<Integer>;
  if (std::isnan(value)) {
    if (sizeof(Real) == 4 && sizeof(Integer) == 4) return 0;
    return static_cast<Integer>(uint64_t{1} << (8 * sizeof(Integer) - 1));
  }
  const long double result = rounded(static_cast<long double>(value), mode);
  if (result < static_cast<long double>(Limits::min())) return Limits::min();
  if (result > static_cast<long double>(Limits::max())) return Limits::max();
  return static_cast<Integer>(result);
}

template <class Integer, class Real>
void check_to_integer(Integer (*const (&casts)[4])(Real)) {
  RandomValues<Real> values(3);
  for (int i = 0; i < 100000; ++i) {
    Real value = values.next();
    // Halves, and the neighbourhood of the limits.
    if (i % 4 == 1) value = std::trunc(std::fmod(value, Real{1000})) + Real{0.5};
    if (i % 4 == 2) {
      value = std::ldexp(1 + std::fmod(value, Real{1}) * std::numeric_limits<Real>::epsilon(),
                         i % 3 == 0   ? 31
                         : i % 3 == 1 ? 63
                                      : 64);
    }
    for (int mode = 0; mode < 4; ++mode) {
      const Integer expected = expected_integer<Integer>(value, static_cast<Mode>(mode));
      const Integer got = casts[mode](value);
      if (got != expected) {
        FAIL("mode " << mode << ": " << std::hexfloat << value << " gave " << got << ", not "
                     << expected);
      }
    }
  }
}

TEST_CASE("casts from float to integers round, saturate and turn NaN as the GPU does") {
  check_to_integer<int>({__float2int_rn, __float2int_rz, __float2int_ru, __float2int_rd});
  check_to_integer<unsigned int>(
      {__float2uint_rn, __float2uint_rz, __float2uint_ru, __float2uint_rd});
  check_to_integer<long long>({__float2ll_rn, __float2ll_rz, __float2ll_ru, __float2ll_rd});
  check_to_integer<unsigned long long>(
      {__float2ull_rn, __float2ull_rz, __float2ull_ru, __float2ull_rd});
}

TEST_CASE("casts from double to integers round, saturate and turn NaN as the GPU does") {
  check_to_integer<int>({__double2int_rn, __double2int_rz, __double2int_ru, __double2int_rd});
  check_to_integer<unsigned int>(
      {__double2uint_rn, __double2uint_rz, __double2uint_ru, __double2uint_rd});
  check_to_integer<long long>({__double2ll_rn, __double2ll_rz, __double2ll_ru, __double2ll_rd});
  check_to_integer<unsigned long long>(
      {__double2ull_rn, __double2ull_rz, __double2ull_ru, __double2ull_rd});
}

// The neighbour of `value` that the mode asks for, among numbers with `digits` binary digits.
template <class Integer>
long double rounded_to_digits(Integer value, int digits, Mode mode) {
  const long double exact = static_cast<long double>(value);  // 64 digits hold any of them
  if (exact == 0) return 0;
  int exponent;
  std::frexp(exact, &exponent);
  const int shift = digits - exponent;
  return std::ldexp(rounded(std::ldexp(exact, shift), mode), -shift);
}

template <class Real, class Integer>
void check_from_integer(Real (*const (&casts)[4])(Integer)) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 100000; ++i) {
    Integer value = static_cast<Integer>(random() >> random() % 64);
    if (i % 2 == 0) value = static_cast<Integer>(~value);
    if (i % 5 == 0) value = static_cast<Integer>((value << 7) + i % 3 - 1);
    for (int mode = 0; mode < 4; ++mode) {
      const long double expected =
          rounded_to_digits(value, std::numeric_limits<Real>::digits, static_cast<Mode>(mode));
      if (!same(static_cast<long double>(casts[mode](value)), expected)) {
        FAIL("mode " << mode << ": " << value << " gave " << std::hexfloat << casts[mode](value));
      }
    }
  }
}

TEST_CASE("casts from integers round as their names say") {
  static_assert(std::numeric_limits<long double>::digits >= 64);
  check_from_integer<float, int>({__int2float_rn, __int2float_rz, __int2float_ru, __int2float_rd});
  check_from_integer<float, unsigned int>(
      {__uint2float_rn, __uint2float_rz, __uint2float_ru, __uint2float_rd});
  check_from_integer<float, long long>(
      {__ll2float_rn, __ll2float_rz, __ll2float_ru, __ll2float_rd});
  check_from_integer<float, unsigned long long>(
      {__ull2float_rn, __ull2float_rz, __ull2float_ru, __ull2float_rd});
  check_from_integer<double, long long>(
      {__ll2double_rn, __ll2double_rz, __ll2double_ru, __ll2double_rd});
  check_from_integer<double, unsigned long long>(
      {__ull2double_rn, __ull2double_rz, __ull2double_ru, __ull2double_rd});
  CHECK(__int2double_rn(-2147483647 - 1) == -2147483648.0);
  CHECK(__uint2double_rn(4294967295u) == 4294967295.0);
}

TEST_CASE("casts from double to float step to the neighbour that the mode asks for") {
  RandomValues<double> values(5);
  for (int i = 0; i < 300000; ++i) {
    double value = values.next();
    if (i % 2 == 0) value = std::ldexp(std::fmod(value, 2.0), static_cast<int>(i % 280) - 150);
    const float nearest = static_cast<float>(value);
    const float infinity = std::numeric_limits<float>::infinity();
    const float below = nearest <= value ? nearest : std::nextafter(nearest, -infinity);
    const float above = nearest >= value ? nearest : std::nextafter(nearest, infinity);
    REQUIRE(same(__double2float_rn(value), nearest));
    if (std::isnan(value)) continue;
    REQUIRE(same(__double2float_rd(value), below));
    REQUIRE(same(__double2float_ru(value), above));
    REQUIRE(same(__double2float_rz(value), std::signbit(value) ? above : below));
  }
  CHECK(__double2float_rz(1e300) == std::numeric_limits<float>::max());
  CHECK(std::isinf(__double2float_ru(1e300)));
  CHECK(same(__double2float_rz(-1e-300), -0.0f));
  CHECK(std::isnan(__double2float_rd(std::nan(""))));
}

TEST_CASE("bits are taken as they are") {
  CHECK(__float_as_int(-0.0f) == -2147483647 - 1);
  CHECK(__float_as_uint(1.0f) == 0x3f800000u);
  CHECK(__int_as_float(0x40490fdb) == 3.14159274f);
  CHECK(__uint_as_float(0xff800000u) == -std::numeric_limits<float>::infinity());
  CHECK(__double_as_longlong(-2.0) == static_cast<long long>(0xc000000000000000u));
  CHECK(__longlong_as_double(0x3ff0000000000001) == 1 + 0x1p-52);
  CHECK(__double2hiint(-1.5) == static_cast<int>(0xbff80000u));
  CHECK(__double2loint(0x1.00000deadbeefp+0) == static_cast<int>(0xdeadbeefu));
  CHECK(__hiloint2double(__double2hiint(-0.1), __double2loint(-0.1)) == -0.1);
}

}  // namespace
}  // namespace convkit
