// SPDX-License-Identifier: MIT
// The rounding forms against the processor's own rounding modes.
#include <cfenv>
#include <cmath>
#include <iomanip>

#include "catch.h"
#include "random_values.h"
#include "simt/rounded_double.h"
#include "simt/rounded_float.h"

namespace convkit {
namespace {

using test::RandomValues;
using test::same;

// Operands and result pass through volatile objects, so the operation stays between the two calls.
template <class Real, class Operation>
Real in_mode(int mode, Operation operation, Real a, Real b, Real c) {
  volatile Real x = a, y = b, z = c, result;
  std::fesetround(mode);
  result = operation(x, y, z);
  std::fesetround(FE_TONEAREST);
  return result;
}

template <class Real>
using Function = Real (*)(Real, Real, Real);

template <class Real>
struct Forms {
  const char* name;
  Function<Real> exact;
  Function<Real> nearest, zero, up, down;
};

#define CONVKIT_FORMS(Real, prefix, call, exact)                                               \
  Forms<Real> {                                                                                \
#prefix, [](Real a, Real b, Real c) -> Real { return (void)a, (void)b, (void)c, exact; },    \
        [](Real a, Real b, Real c) { return (void)a, (void)b, (void)c, prefix##_rn call; },      \
        [](Real a, Real b, Real c) { return (void)a, (void)b, (void)c, prefix##_rz call; },      \
        [](Real a, Real b, Real c) { return (void)a, (void)b, (void)c, prefix##_ru call; },      \
        [](Real a, Real b, Real c) { return (void)a, (void)b, (void)c, prefix##_rd call; } \
  }

template <class Real>
void compare(const Forms<Real>& forms, int count) {
  RandomValues<Real> values(20240901);
  for (int i = 0; i < count; ++i) {
    const Real a = values.next(), b = values.next(), c = values.next();
    const struct {
      int mode;
      Function<Real> function;
    } modes[] = {{FE_TONEAREST, forms.nearest},
                 {FE_TOWARDZERO, forms.zero},
                 {FE_UPWARD, forms.up},
                 {FE_DOWNWARD, forms.down}};
    for (const auto& [mode, function] : modes) {
      const Real expected = in_mode(mode, forms.exact, a, b, c);
      const Real got = function(a, b, c);
      if (!same(got, expected)) {
        FAIL(forms.name << ", mode " << mode << std::hexfloat << ": " << a << ", " << b << ", " << c
                        << " gave " << got << ", not " << expected);
      }
    }
  }
}

TEST_CASE("float rounding forms agree with the processor's rounding modes") {
  constexpr int kCount = 200000;
  compare(CONVKIT_FORMS(float, __fadd, (a, b), a + b), kCount);
  compare(CONVKIT_FORMS(float, __fsub, (a, b), a - b), kCount);
  compare(CONVKIT_FORMS(float, __fmul, (a, b), a* b), kCount);
  compare(CONVKIT_FORMS(float, __fdiv, (a, b), a / b), kCount);
  compare(CONVKIT_FORMS(float, __frcp, (a), 1 / a), kCount);
  compare(CONVKIT_FORMS(float, __fsqrt, (a), std::sqrt(a)), kCount);
  compare(CONVKIT_FORMS(float, __fmaf, (a, b, c), std::fma(a, b, c)), kCount);
  compare(CONVKIT_FORMS(float, __fmaf_ieee, (a, b, c), std::fma(a, b, c)), kCount);
}

TEST_CASE("double rounding forms agree with the processor's rounding modes") {
  constexpr int kCount = 200000;
  compare(CONVKIT_FORMS(double, __dadd, (a, b), a + b), kCount);
  compare(CONVKIT_FORMS(double, __dsub, (a, b), a - b), kCount);
  compare(CONVKIT_FORMS(double, __dmul, (a, b), a* b), kCount);
  compare(CONVKIT_FORMS(double, __ddiv, (a, b), a / b), kCount);
  compare(CONVKIT_FORMS(double, __drcp, (a), 1 / a), kCount);
  compare(CONVKIT_FORMS(double, __dsqrt, (a), std::sqrt(a)), kCount);
  compare(CONVKIT_FORMS(double, __fma, (a, b, c), std::fma(a, b, c)), kCount);
}

TEST_CASE("products and quotients of doubles are directed where they are subnormal") {
  // Errors below the smallest number cannot be represented; the forms must see them all the same.
  CHECK(__dmul_ru(0x1p-1074, 0x1p-1074) == 0x1p-1074);
  CHECK(__dmul_rd(0x1p-1074, 0x1p-1074) == 0);
  CHECK(__dmul_rd(-0x1p-1074, 0x1p-1074) == -0x1p-1074);
  CHECK(__dmul_ru(0x1.8p-537, 0x1.8p-537) == 0x1.8p-1073);
  CHECK(__dmul_ru(0x1.0000001p-537, 0x1.0000001p-537) == 0x1p-1073);
  CHECK(__ddiv_ru(0x1p-1074, 0x1p+1000) == 0x1p-1074);
  CHECK(__ddiv_rz(0x1p-1074, 0x1p+1000) == 0);
}

// 1/sqrt(x) lies between the middles of its neighbours: m^2 x < 1 < n^2 x, in integers.
TEST_CASE("__frsqrt_rn is rounded to nearest") {
  __extension__ typedef unsigned __int128 Wide;
  std::mt19937_64 random(7);
  for (int i = 0; i < 500000; ++i) {
    const float x = std::ldexp(static_cast<float>(0x800000 + random() % 0x1800000), -23);
    const float y = __frsqrt_rn(x);  // in [0.5, 1]
    const double below = (static_cast<double>(y) + std::nextafter(y, 0.0f)) / 2;
    const double above = (static_cast<double>(y) + std::nextafter(y, 2.0f)) / 2;
    const Wide m = static_cast<Wide>(std::ldexp(below, 30));
    const Wide n = static_cast<Wide>(std::ldexp(above, 30));
    const Wide scaled = static_cast<Wide>(std::ldexp(static_cast<double>(x), 23));
    const Wide one = static_cast<Wide>(1) << 83;
    if (!(m * m * scaled <= one && one <= n * n * scaled)) {
      FAIL(std::hexfloat << "1/sqrt(" << x << ") is not " << y);
    }
  }
  CHECK(__frsqrt_rn(4.0f) == 0.5f);
  CHECK(__frsqrt_rn(0x1p-149f) == 0x1.6a09e6p+74f);
  CHECK(std::isinf(__frsqrt_rn(0.0f)));
  CHECK(__frsqrt_rn(-0.0f) == -std::numeric_limits<float>::infinity());
  CHECK(std::isnan(__frsqrt_rn(-1.0f)));
}

}  // namespace
}  // namespace convkit
