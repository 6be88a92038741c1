// SPDX-License-Identifier: MIT
// Arithmetic and comparisons of half against exact integer arithmetic.
#include "simt/half_arithmetic.h"

#include <random>

#include "catch.h"
#include "half_grid.h"
#include "simt/half_comparisons.h"
#include "simt/half_maths.h"
#include "simt/half_memory.h"
#include "simt/half_operators.h"

namespace convkit {
namespace {

using test::half_value;
using test::in_units;
using test::Mode;
using test::Wide;

const test::HalfGrid& grid() {
  static const test::HalfGrid instance;
  return instance;
}

half half_of(unsigned bits) {
  return __ushort_as_half(static_cast<uint16_t>(bits));
}

bool is_finite(unsigned bits) {
  return (bits & 0x7c00) != 0x7c00;
}

// A partner for each half: any bits, and often ones that make sums cancel or results subnormal.
unsigned partner(std::mt19937& random, unsigned bits) {
  switch (random() % 4) {
    case 0:
      return (bits ^ 0x8000 ^ random() % 4) & 0xffff;
    case 1:
      return random() % 0x800 | (random() % 2 << 15);
    default:
      return random() & 0xffff;
  }
}

bool same_half(half got, double expected) {
  const float value = __half2float(got);
  if (std::isnan(expected)) return __half_as_ushort(got) == 0x7fff;
  return value == expected && std::signbit(value) == std::signbit(expected);
}

// What an operation gives where an operand or the result is not finite, or the result is zero, is
// decided by IEEE arithmetic in double; all else by exact integers.
void check_sum(unsigned a, unsigned b, half got) {
  const double sum = half_value(a) + half_value(b);
  if (!is_finite(a) || !is_finite(b) || sum == 0) {
    REQUIRE(same_half(got, sum));
    return;
  }
  const Wide exact = in_units(half_value(a)) + in_units(half_value(b));
  REQUIRE(__half_as_ushort(got) == grid().nearest(exact, Mode::kNearest));
}

// In units of 2^-24 halves are integers, so their products are integers in units of 2^-48.
Wide exact_product(unsigned a, unsigned b) {
  return static_cast<Wide>(std::ldexp(half_value(a), 24)) *
         static_cast<Wide>(std::ldexp(half_value(b), 24));
}

void check_product(unsigned a, unsigned b, half got) {
  const double product = half_value(a) * half_value(b);
  if (!is_finite(a) || !is_finite(b) || product == 0) {
    REQUIRE(same_half(got, product));
    return;
  }
  REQUIRE(__half_as_ushort(got) == grid().nearest(exact_product(a, b), Mode::kNearest));
}

void check_fused(unsigned a, unsigned b, unsigned c, half got) {
  const double result = half_value(a) * half_value(b) + half_value(c);
  if (!is_finite(a) || !is_finite(b) || !is_finite(c) || result == 0) {
    REQUIRE(same_half(got, result));
    return;
  }
  const Wide exact = exact_product(a, b) + in_units(half_value(c));
  REQUIRE(__half_as_ushort(got) == grid().nearest(exact, Mode::kNearest));
}

// No half lies closer to a/b: |a - q b| is least, in doubles that hold it exactly.
void check_quotient(unsigned a, unsigned b, half got) {
  const double left = half_value(a), right = half_value(b), quotient = left / right;
  if (std::fabs(quotient) >= 65504 || !(std::fabs(quotient) > 0x1p-24)) {
    const double rounded = std::fabs(quotient) >= 65520    ? std::copysign(INFINITY, quotient)
                           : std::fabs(quotient) >= 65504  ? std::copysign(65504, quotient)
                           : std::fabs(quotient) > 0x1p-25 ? std::copysign(0x1p-24, quotient)
                                                           : std::copysign(0.0, quotient);
    REQUIRE(same_half(got, std::isnan(quotient) ? NAN : rounded));
    return;
  }
  const unsigned bits = __half_as_ushort(got);
  const double here = std::fabs(left - half_value(bits) * right);
  const double below = std::fabs(left - half_value(bits - 1) * right);
  const double above = std::fabs(left - half_value(bits + 1) * right);
  const bool nearest =
      bits % 2 == 0 ? here <= below && here <= above : here < below && here < above;
  if (!nearest) FAIL(std::hex << a << " / " << b << " gave " << bits);
}

TEST_CASE("sums, differences, products, quotients and fused products are rounded once") {
  std::mt19937 random(99);
  for (unsigned a = 0; a < 0x10000; ++a) {
    for (int i = 0; i < 12; ++i) {
      const unsigned b = partner(random, a);
      check_sum(a, b, __hadd(half_of(a), half_of(b)));
      if ((b & 0x7fff) <= 0x7c00) check_sum(a, b ^ 0x8000, __hsub(half_of(a), half_of(b)));
      check_product(a, b, __hmul(half_of(a), half_of(b)));
      check_quotient(a, b, __hdiv(half_of(a), half_of(b)));
      // Summands of the product's size make the rounding hard.
      const unsigned product = __half_as_ushort(__hmul(half_of(a), half_of(b)));
      const unsigned c =
          i % 2 == 0 ? (product ^ 0x8000 ^ random() % 8) & 0xffff : random() & 0xffff;
      check_fused(a, b, c, __hfma(half_of(a), half_of(b), half_of(c)));
    }
  }
}

TEST_CASE("fused products keep what a rounded product would lose") {
  // 2049/2048 * 2049/2048 is 1 + 2^-10 + 2^-22; the last part decides.
  const half x = half(1 + 0x1p-10f);
  CHECK(__half2float(__hfma(x, x, half(-1.0f))) == 0x1p-9f);
  const half tie = __hfma(half(2048), half(1), half(0x1p-24));
  CHECK(__half2float(tie) == 2048);
  CHECK(__half2float(__hfma(half(1 + 0x1p-10f), half(1025), half(0x1p-24f))) == 1026);
}

TEST_CASE("square roots of all halves are rounded to nearest") {
  for (unsigned bits = 0; bits < 0x7c00; ++bits) {
    const half root = hsqrt(half_of(bits));
    const double value = half_value(bits);
    if (value == 0) {
      REQUIRE(__half_as_ushort(root) == 0);
      continue;
    }
    const unsigned r = __half_as_ushort(root);
    const double low = (half_value(r) + half_value(r - 1)) / 2;
    const double high = (half_value(r) + half_value(r + 1)) / 2;
    REQUIRE((low * low <= value && value <= high * high));
  }
  CHECK(__half_as_ushort(hsqrt(half(-1))) == 0x7fff);
  CHECK(__half_as_ushort(hsqrt(half(-0.0f))) == 0x8000);
}

TEST_CASE("functions of all halves err by less than one unit in the last place") {
  const struct {
    half (*function)(half);
    double (*exact)(double);
  } functions[] = {{hexp, std::exp},
                   {hexp2, std::exp2},
                   {hexp10, [](double x) { return std::pow(10.0, x); }},
                   {hlog, std::log},
                   {hlog2, std::log2},
                   {hlog10, std::log10},
                   {hsin, std::sin},
                   {hcos, std::cos},
                   {htanh, std::tanh},
                   {hrcp, [](double x) { return 1 / x; }},
                   {hrsqrt, [](double x) { return 1 / std::sqrt(x); }},
                   {htrunc, std::trunc},
                   {hceil, std::ceil},
                   {hfloor, std::floor},
                   {hrint, std::nearbyint}};
  for (const auto& [function, exact] : functions) {
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
      const double expected = exact(half_value(bits));
      const half got = function(half_of(bits));
      const double nearest = half_value(__half_as_ushort(half(expected)));
      if (same_half(got, nearest)) continue;
      const double unit = std::fabs(half_value(__half_as_ushort(half(expected)) ^ 1) - nearest);
      REQUIRE(std::fabs(half_value(__half_as_ushort(got)) - expected) < unit);
    }
  }
}

TEST_CASE("comparisons know NaN, signs of zero and infinities") {
  std::mt19937 random(5);
  const unsigned odd[] = {0, 0x8000, 1, 0x8001, 0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x3c00, 0xbc00};
  for (int i = 0; i < 200000; ++i) {
    const unsigned a = i % 2 == 0 ? odd[random() % 10] : random() & 0xffff;
    const unsigned b = i % 3 == 0 ? odd[random() % 10] : i % 3 == 1 ? a : random() & 0xffff;
    const half x = half_of(a), y = half_of(b);
    const double left = half_value(a), right = half_value(b);
    const bool nan = std::isnan(left) || std::isnan(right);
    REQUIRE(__heq(x, y) == (left == right));
    REQUIRE(__hne(x, y) == (left != right && !nan));
    REQUIRE(__hlt(x, y) == (left < right));
    REQUIRE(__hle(x, y) == (left <= right));
    REQUIRE(__hgt(x, y) == (left > right));
    REQUIRE(__hge(x, y) == (left >= right));
    REQUIRE(__hequ(x, y) == (left == right || nan));
    REQUIRE(__hneu(x, y) == (left != right));
    REQUIRE(__hltu(x, y) == (left < right || nan));
    REQUIRE(__hleu(x, y) == (left <= right || nan));
    REQUIRE(__hgtu(x, y) == (left > right || nan));
    REQUIRE(__hgeu(x, y) == (left >= right || nan));
    REQUIRE((x == y) == (left == right));
    REQUIRE((x != y) == (left != right));
    REQUIRE(__hisnan(x) == std::isnan(left));
    REQUIRE(__hisinf(x) == (std::isinf(left) ? left > 0 ? 1 : -1 : 0));
    const half2 pair(x, y), swapped(y, x);
    REQUIRE(__hblt2(pair, swapped) == (left < right && right < left));
    REQUIRE(__hbequ2(pair, swapped) == (left == right || nan));
    REQUIRE(__hlt2_mask(pair, swapped) ==
            ((left < right ? 0xffffu : 0u) | (right < left ? 0xffff0000u : 0u)));
    REQUIRE(__low2float(__hge2(pair, swapped)) == (left >= right ? 1 : 0));

    const bool x_first = left < right || (left == right && std::signbit(left)) || std::isnan(right);
    if (!nan) {
      REQUIRE(__half_as_ushort(__hmin(x, y)) == (x_first ? a : b));
      REQUIRE(__half_as_ushort(__hmax(x, y)) == (x_first ? b : a));
      REQUIRE(__half_as_ushort(__hmin_nan(x, y)) == (x_first ? a : b));
    } else {
      const unsigned number = !std::isnan(left) ? a : !std::isnan(right) ? b : 0x7fff;
      REQUIRE(__half_as_ushort(__hmin(x, y)) == number);
      REQUIRE(__half_as_ushort(__hmax(x, y)) == number);
      REQUIRE(__half_as_ushort(__hmin_nan(x, y)) == 0x7fff);
      REQUIRE(__half_as_ushort(__hmax_nan(x, y)) == 0x7fff);
    }
  }
}

TEST_CASE("signs, saturation and rectification") {
  CHECK(__half_as_ushort(__hneg(half(0))) == 0x8000);
  CHECK(__half_as_ushort(-half_of(0xfe00)) == 0x7fff);
  CHECK(__half_as_ushort(__habs(half_of(0xfc00))) == 0x7c00);
  CHECK(__half2float(__hadd_sat(half(0.75), half(0.5))) == 1);
  CHECK(__half_as_ushort(__hsub_sat(half(0.25), half(0.5))) == 0);
  CHECK(__half_as_ushort(__hmul_sat(half_of(0x7e00), half(1))) == 0);
  CHECK(__half2float(__hfma_sat(half(0.5), half(0.5), half(0.25))) == 0.5f);
  CHECK(__half_as_ushort(__hfma_relu(half(-1), half(1), half(0.5))) == 0);
  CHECK(__half_as_ushort(__hfma_relu(half_of(0x7e00), half(1), half(0))) == 0x7fff);
}

TEST_CASE("operators change halves in place") {
  half h = 3;
  h += half(2);
  h *= half(4);
  h -= half(5);
  h /= half(3);
  CHECK(__half2float(h) == 5);
  CHECK(__half2float(h++) == 5);
  CHECK(__half2float(--h) == 5);
  CHECK((h > half(4.5f) && h <= half(5) && !(h < half(5))));
  half2 v = __floats2half2_rn(1, 2);
  v = v * v + v;
  CHECK((__low2float(v) == 2 && __high2float(v) == 6));
  ++v;
  CHECK((__low2float(v) == 3 && __high2float(-v) == -7));
  CHECK((v == __floats2half2_rn(3, 7) && v != __floats2half2_rn(4, 8)));
  CHECK_FALSE(v != __floats2half2_rn(3, 8));  // both parts must differ
}

TEST_CASE("half2 functions work on both parts") {
  const half2 a = __floats2half2_rn(1.5f, -2.0f), b = __floats2half2_rn(0.5f, 4.0f);
  const auto is = [](half2 v, float low, float high) {
    return __low2float(v) == low && __high2float(v) == high;
  };
  CHECK(is(__hadd2(a, b), 2, 2));
  CHECK(is(__hsub2(a, b), 1, -6));
  CHECK(is(__hmul2(a, b), 0.75f, -8));
  CHECK(is(__h2div(a, b), 3, -0.5f));
  CHECK(is(__hfma2(a, b, a), 2.25f, -10));
  CHECK(is(__hfma2_relu(a, b, a), 2.25f, 0));
  CHECK(is(__hmax2(a, b), 1.5f, 4));
  CHECK(is(__hneg2(a), -1.5f, 2));
  CHECK(is(__habs2(a), 1.5f, 2));
  CHECK(is(h2floor(a), 1, -2));
  // (1.5 - 2i) (0.5 + 4i) + (1 + i)
  CHECK(is(__hcmadd(a, b, __floats2half2_rn(1, 1)), 9.75f, 6));
}

TEST_CASE("atomic sums of halves leave the neighbour alone") {
  half values[2] = {half(1), half(2)};
  CHECK(__half2float(atomicAdd(&values[0], half(0.5))) == 1);
  CHECK((__half2float(values[0]) == 1.5f && __half2float(values[1]) == 2));
  half2 pair = __floats2half2_rn(1, 2);
  CHECK(__high2float(atomicAdd(&pair, __floats2half2_rn(3, 4))) == 2);
  CHECK((__low2float(pair) == 4 && __high2float(pair) == 6));
  CHECK(__half2float(__ldg(&values[1])) == 2);
}

}  // namespace
}  // namespace convkit
