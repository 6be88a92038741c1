// SPDX-License-Identifier: MIT
// Conversions of half: every pattern of bits, and numbers at, between and next to all of them.
#include "simt/half_conversions.h"

#include <limits>
#include <random>
#include <type_traits>

#include "catch.h"
#include "half_grid.h"

namespace convkit {
namespace {

using test::half_value;
using test::Mode;

constexpr Mode kModes[] = {Mode::kNearest, Mode::kZero, Mode::kUp, Mode::kDown};

template <class From>
using ToHalf = __half (*)(From);

static_assert(sizeof(half) == 2 && alignof(half) == 2 && sizeof(half2) == 4 && alignof(half2) == 4);
static_assert(std::is_trivially_default_constructible_v<half> &&
              std::is_trivially_copyable_v<half>);
static_assert(std::is_trivially_default_constructible_v<half2> &&
              std::is_trivially_copyable_v<half2>);

const test::HalfGrid& grid() {
  static const test::HalfGrid instance;
  return instance;
}

TEST_CASE("every half becomes a float and comes back") {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto pattern = static_cast<uint16_t>(bits);
    const float value = __half2float(__ushort_as_half(pattern));
    if (std::isnan(half_value(bits))) {
      REQUIRE(__float_as_uint(value) == 0x7fffffffu);
      REQUIRE(__half_as_ushort(__float2half(value)) == 0x7fff);
      continue;
    }
    REQUIRE(__double_as_longlong(value) == __double_as_longlong(half_value(bits)));
    REQUIRE(__half_as_ushort(__float2half_rn(value)) == pattern);
    REQUIRE(__half_as_ushort(__float2half_rz(value)) == pattern);
    REQUIRE(__half_as_ushort(__float2half_ru(value)) == pattern);
    REQUIRE(__half_as_ushort(__float2half_rd(value)) == pattern);
  }
}

// The double that half and float conversions are given; both must round it alike.
void check_number(double value) {
  using simt::half_bits_from_double;
  using simt::Rounding;
  const test::Wide exact = test::in_units(value);
  const uint16_t doubles[] = {half_bits_from_double<Rounding::kNearest>(value),
                              half_bits_from_double<Rounding::kZero>(value),
                              half_bits_from_double<Rounding::kUp>(value),
                              half_bits_from_double<Rounding::kDown>(value)};
  const float as_float = static_cast<float>(value);
  const __half floats[] = {__float2half_rn(as_float), __float2half_rz(as_float),
                           __float2half_ru(as_float), __float2half_rd(as_float)};
  for (const Mode mode : kModes) {
    const auto index = static_cast<size_t>(mode);
    REQUIRE(doubles[index] == grid().nearest(exact, mode, std::signbit(value)));
    if (static_cast<double>(as_float) == value) {
      REQUIRE(__half_as_ushort(floats[index]) == doubles[index]);
    }
  }
}

TEST_CASE("numbers between two halves go where the mode says") {
  for (unsigned bits = 0; bits < 0x7c00; ++bits) {
    const double below = half_value(bits);
    const double above = bits == 0x7bff ? 65536 : half_value(bits + 1);
    const double middle = (below + above) / 2, step = (above - below) / 4096;
    for (const double value : {below + step, middle - step, middle, middle + step, above - step}) {
      check_number(value);
      check_number(-value);
    }
  }
}

TEST_CASE("numbers far beyond and far below the halves") {
  for (const double value : {65520.0, 65519.99, 65536.0, 1e5, 1e9}) {
    check_number(value);
    check_number(-value);
  }
  CHECK(__half_as_ushort(__double2half(1e300)) == 0x7c00);
  CHECK(__half_as_ushort(__float2half_rz(-3e38f)) == 0xfbff);
  CHECK(__half_as_ushort(__float2half_ru(1e-40f)) == 0x0001);
  CHECK(__half_as_ushort(__float2half_rd(1e-40f)) == 0x0000);
  CHECK(__half_as_ushort(__float2half_rd(-1e-40f)) == 0x8001);
  CHECK(__half_as_ushort(__float2half_rn(-1e-40f)) == 0x8000);
  CHECK(__half_as_ushort(__float2half_ru(-0.0f)) == 0x8000);
  CHECK(__half_as_ushort(__double2half(0x1p-25)) == 0);  // the middle goes to the even one
  CHECK(__half_as_ushort(__double2half(0x1.0000000000001p-25)) == 1);
  CHECK(__half_as_ushort(__float2half_rz(std::numeric_limits<float>::infinity())) == 0x7c00);
}

template <class Integer>
void check_from_integer(const ToHalf<Integer> (&casts)[4]) {
  std::mt19937_64 random(17);
  for (int i = 0; i < 60000; ++i) {
    Integer value = static_cast<Integer>(random() >> random() % 64);
    if (i % 2 == 0) value = static_cast<Integer>(~value);
    if (i % 4 == 1) value = static_cast<Integer>(i + 8000);
    // Beyond 65536 all integers are alike; the grid's units would overflow.
    const double clipped = std::clamp(static_cast<double>(value), -1e6, 1e6);
    for (const Mode mode : kModes) {
      const __half got = casts[static_cast<size_t>(mode)](value);
      REQUIRE(__half_as_ushort(got) == grid().nearest(test::in_units(clipped), mode));
    }
  }
}

TEST_CASE("integers become halves, rounded as the name says") {
  check_from_integer<short>({__short2half_rn, __short2half_rz, __short2half_ru, __short2half_rd});
  check_from_integer<unsigned short>(
      {__ushort2half_rn, __ushort2half_rz, __ushort2half_ru, __ushort2half_rd});
  check_from_integer<int>({__int2half_rn, __int2half_rz, __int2half_ru, __int2half_rd});
  check_from_integer<unsigned int>(
      {__uint2half_rn, __uint2half_rz, __uint2half_ru, __uint2half_rd});
  check_from_integer<long long>({__ll2half_rn, __ll2half_rz, __ll2half_ru, __ll2half_rd});
  check_from_integer<unsigned long long>(
      {__ull2half_rn, __ull2half_rz, __ull2half_ru, __ull2half_rd});
}

template <class Integer>
Integer expected_integer(double value, Mode mode) {
  using Limits = std::numeric_limits<Integer>;
  if (std::isnan(value)) {
    return sizeof(Integer) == 8 ? static_cast<Integer>(uint64_t{1} << 63) : Integer{0};
  }
  const double below = std::floor(value), part = value - below;
  bool up = part != 0 && mode == Mode::kUp;
  if (mode == Mode::kZero) up = part != 0 && value < 0;
  if (mode == Mode::kNearest) up = part > 0.5 || (part == 0.5 && std::fmod(below, 2) != 0);
  const double whole = up ? below + 1 : below;
  if (whole >= static_cast<double>(Limits::max())) return Limits::max();
  if (whole <= static_cast<double>(Limits::min())) return Limits::min();
  return static_cast<Integer>(whole);
}

template <class Integer>
void check_to_integer(Integer (*const (&casts)[4])(__half)) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    for (const Mode mode : kModes) {
      REQUIRE(casts[static_cast<size_t>(mode)](__ushort_as_half(static_cast<uint16_t>(bits))) ==
              expected_integer<Integer>(half_value(bits), mode));
    }
  }
}

TEST_CASE("every half becomes an integer, rounded and saturated") {
  check_to_integer<short>({__half2short_rn, __half2short_rz, __half2short_ru, __half2short_rd});
  check_to_integer<unsigned short>(
      {__half2ushort_rn, __half2ushort_rz, __half2ushort_ru, __half2ushort_rd});
  check_to_integer<int>({__half2int_rn, __half2int_rz, __half2int_ru, __half2int_rd});
  check_to_integer<unsigned int>({__half2uint_rn, __half2uint_rz, __half2uint_ru, __half2uint_rd});
  check_to_integer<long long>({__half2ll_rn, __half2ll_rz, __half2ll_ru, __half2ll_rd});
  check_to_integer<unsigned long long>(
      {__half2ull_rn, __half2ull_rz, __half2ull_ru, __half2ull_rd});
}

TEST_CASE("halves convert as C++ types do") {
  half h = 1.5f;
  CHECK(static_cast<float>(h) == 1.5f);
  CHECK(static_cast<int>(half(-2.75)) == -2);
  CHECK(static_cast<unsigned char>(half(300)) == 255);
  CHECK(static_cast<signed char>(half(-300)) == -128);
  CHECK(static_cast<bool>(half(0.25)));
  CHECK_FALSE(static_cast<bool>(half(-0.0)));
  h = 2049;  // the middle of 2048 and 2050 goes to the even fraction
  CHECK(static_cast<float>(h) == 2048.0f);
  h = 100000ull;
  CHECK(std::isinf(static_cast<float>(h)));
}

TEST_CASE("half2 is put together and taken apart") {
  const half2 v = __floats2half2_rn(1.0f, 2.0f);
  CHECK((__low2float(v) == 1 && __high2float(v) == 2));
  CHECK((__half22float2(__lowhigh2highlow(v)).x == 2 && __half22float2(v).y == 2));
  CHECK(__high2float(__low2half2(v)) == 1);
  CHECK(__low2float(__high2half2(v)) == 2);
  const half2 w = __float22half2_rn(float2{3, 4});
  CHECK((__low2float(__lows2half2(v, w)) == 1 && __high2float(__lows2half2(v, w)) == 3));
  CHECK((__low2float(__highs2half2(v, w)) == 2 && __high2float(__highs2half2(v, w)) == 4));
  CHECK(__high2float(__float2half2_rn(0.1f)) == static_cast<float>(half(0.1f)));
  CHECK(__low2float(make_half2(half(7), half(8))) == 7);
  const __half2_raw raw = v;
  CHECK((raw.x == 0x3c00 && raw.y == 0x4000));
}

}  // namespace
}  // namespace convkit
