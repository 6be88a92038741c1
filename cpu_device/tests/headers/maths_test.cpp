// SPDX-License-Identifier: MIT
// CUDA's mathematical functions against long double.

// As newer C libraries declare them (glibc since 2.41 and 2.42), whatever this one does.
extern "C" {
double rsqrt(double) noexcept;
double sinpi(double) noexcept;
double cospi(double) noexcept;
float rsqrtf(float) noexcept;
float sinpif(float) noexcept;
float cospif(float) noexcept;
}

#include "simt/maths.h"

#include <cmath>
#include <iomanip>
#include <limits>
#include <random>
#include <type_traits>

#include "catch.h"
#include "random_values.h"

namespace convkit {
namespace {

constexpr long double kPi = 3.14159265358979323846264338327950288L;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The distance of `got` from the exact value, in units of its last place.
template <class Real>
long double error_in_ulp(Real got, long double exact) {
  if (std::isnan(exact)) return std::isnan(got) ? 0 : INFINITY;
  const Real nearest = static_cast<Real>(exact);
  if (got == nearest) return 0;
  if (std::isinf(nearest) || !std::isfinite(got)) return INFINITY;
  const Real next = std::nextafter(std::fabs(nearest), std::numeric_limits<Real>::infinity());
  return std::fabs(got - exact) / (static_cast<long double>(next) - std::fabs(nearest));
}

template <class Real, class Exact>
void check(const char* name, Real (*function)(Real), Exact exact, double low, double high,
           double allowed_ulp) {
  std::mt19937_64 random(31);
  std::uniform_real_distribution<double> uniform(low, high);
  for (int i = 0; i < 20000; ++i) {
    // Half of them spread over the magnitudes.
    const double drawn = uniform(random);
    const Real x =
        static_cast<Real>(i % 2 == 0 ? drawn : std::ldexp(drawn, -static_cast<int>(random() % 40)));
    if (x < low || x > high) continue;
    const Real got = function(x);
    if (!(error_in_ulp(got, exact(static_cast<long double>(x))) <= allowed_ulp)) {
      FAIL(name << "(" << std::setprecision(17) << x << ") gave " << got << ", not "
                << static_cast<double>(exact(static_cast<long double>(x))) << ", "
                << static_cast<double>(error_in_ulp(got, exact(static_cast<long double>(x))))
                << " ulp");
    }
  }
}

// Angles from the nearest multiple of a quarter turn, where sine and cosine are accurate.
long double sine_of_pi_times(long double x) {
  const long double turn = std::fmod(x, 2.0L), quarters = std::round(2 * turn);
  const long double angle = kPi * (turn - quarters / 2);
  switch (static_cast<int>(quarters) & 3) {
    case 0:
      return std::sin(angle);
    case 1:
      return std::cos(angle);
    case 2:
      return -std::sin(angle);
    default:
      return -std::cos(angle);
  }
}

TEST_CASE("reciprocal roots") {
  const auto root = [](long double x) { return 1 / std::sqrt(x); };
  check<float>("rsqrtf", rsqrtf, root, 0, 1e30, 2);
  check<double>("rsqrt", rsqrt, root, 0, 1e300, 2);
  check<float>(
      "rcbrtf", rcbrtf, [](long double x) { return 1 / std::cbrt(x); }, -1e30, 1e30, 1);
  check<double>(
      "rcbrt", rcbrt, [](long double x) { return 1 / std::cbrt(x); }, -1e300, 1e300, 2);
  CHECK(rcbrt(-kInfinity) == 0);
  CHECK(rcbrt(0.0) == kInfinity);
  CHECK(rsqrt(0.0) == kInfinity);
  CHECK(rsqrtf(-0.0f) == -std::numeric_limits<float>::infinity());
  static_assert(std::is_same_v<decltype(rsqrt(1.0f)), float>);
}

TEST_CASE("sines and cosines of multiples of pi") {
  check<double>("sinpi", sinpi, sine_of_pi_times, -1e6, 1e6, 2);
  check<float>("sinpif", sinpif, sine_of_pi_times, -1e5, 1e5, 1);
  const auto cosine = [](long double x) { return sine_of_pi_times(std::fmod(x, 2.0L) + 0.5L); };
  check<double>("cospi", cospi, cosine, -1e6, 1e6, 2);
  CHECK(sinpi(1e15 + 1) == 0);
  CHECK(cospi(3.0) == -1);
  CHECK(cospi(0.5) == 0);
  CHECK(sinpi(1e300) == 0);
  CHECK(std::isnan(sinpi(kInfinity)));
  float s, c;
  sincospif(0.25f, &s, &c);
  CHECK((s == c && s == static_cast<float>(std::sqrt(0.5))));
}

TEST_CASE("lengths do not overflow in between") {
  test::RandomValues<double> values(8);
  for (int i = 0; i < 20000; ++i) {
    const double x = values.next(), y = values.next(), z = values.next();
    const bool infinite = std::isinf(x) || std::isinf(y) || std::isinf(z);
    const long double exact =
        std::sqrt(static_cast<long double>(x) * x + static_cast<long double>(y) * y +
                  static_cast<long double>(z) * z);
    const long double length = infinite ? kInfinity : exact;
    REQUIRE(error_in_ulp(norm3d(x, y, z), length) <= 2);
    // A reciprocal above the largest double is infinite, and so is that of a subnormal zero.
    if (!std::isnan(exact) && exact > 1e-300L && exact < 1e300L) {
      REQUIRE(error_in_ulp(rnorm3d(x, y, z), 1 / length) <= 3);
    }
  }
  CHECK(norm4d(1e300, 1e300, 1e300, 1e300) == 2e300);
  CHECK(norm3df(3e30f, 4e30f, 0) == 5e30f);
  CHECK(rnorm4df(1, 1, 1, 1) == 0.5f);
  const double five[] = {1, 2, 3, 4, 5};
  CHECK(norm(5, five) == std::sqrt(55.0));
  CHECK(rnorm(0, five) == kInfinity);
  CHECK(rhypot(3.0, 4.0) == 0.2);
  CHECK(norm3d(kInfinity, std::nan(""), 1) == kInfinity);
}

TEST_CASE("the relatives of the error function") {
  const auto scaled = [](long double x) { return std::exp(x * x) * std::erfc(x); };
  check<double>("erfcx", erfcx, scaled, -26, 100, 8);
  check<float>("erfcxf", erfcxf, scaled, -9, 100, 1);
  CHECK(error_in_ulp(erfcx(1e10), 1 / (1e10L * std::sqrt(kPi))) <= 2);
  CHECK(erfcx(-30.0) == kInfinity);
  const auto normal = [](long double x) { return std::erfc(-x / std::sqrt(2.0L)) / 2; };
  check<double>("normcdf", normcdf, normal, -37, 9, 8);
  check<float>("normcdff", normcdff, normal, -14, 6, 1);
  CHECK(normcdf(kInfinity) == 1);
  CHECK(normcdf(-kInfinity) == 0);
}

// An inverse is right when the function, at the result, misses the argument by no more than
// rounding the result can explain.
template <class Function>
void check_inverse(const char* name, double (*inverse)(double), Function function, double low,
                   double high) {
  std::mt19937_64 random(12);
  std::uniform_real_distribution<double> uniform(low, high);
  for (int i = 0; i < 20000; ++i) {
    const double drawn = uniform(random);
    const double y = i % 2 == 0 ? drawn : std::ldexp(drawn, -static_cast<int>(random() % 500));
    if (!(y > low && y < high)) continue;
    const long double x = inverse(y);
    const long double slope = 2 / std::sqrt(kPi) * std::exp(-x * x);
    const long double miss = std::fabs(function(x) - y) / slope;
    if (!(miss <= 6 * std::numeric_limits<double>::epsilon() * std::fabs(x))) {
      FAIL(name << "(" << std::setprecision(17) << y << ") gave " << static_cast<double>(x));
    }
  }
}

TEST_CASE("inverse error functions") {
  check_inverse(
      "erfinv", erfinv, [](long double x) { return std::erf(x); }, -1, 1);
  check_inverse(
      "erfcinv", erfcinv, [](long double x) { return std::erfc(x); }, 0, 1);
  CHECK(erfinv(1.0) == kInfinity);
  CHECK(erfinv(-1.0) == -kInfinity);
  CHECK(erfinv(0.0) == 0);
  CHECK(std::isnan(erfinv(1.5)));
  CHECK(erfcinv(0.0) == kInfinity);
  CHECK(erfcinv(2.0) == -kInfinity);
  CHECK(erfcinv(1.25) == -erfcinv(0.75));
  CHECK(normcdfinv(0.5) == 0);
  CHECK(normcdfinv(0.975) == Approx(1.959963984540054).epsilon(1e-15));
  CHECK(normcdf(normcdfinv(1e-100)) == Approx(1e-100).epsilon(1e-12));
  CHECK(normcdfinvf(0.25f) == static_cast<float>(normcdfinv(0.25)));
}

// The power series of the modified Bessel functions.
template <int order>
long double bessel(long double x) {
  long double term = order == 0 ? 1 : x / 2, sum = term;
  for (int k = 1; k < 200; ++k)
    sum += term *= x * x / 4 / (static_cast<long double>(k) * (k + order));
  return sum;
}

TEST_CASE("modified Bessel functions") {
  check<double>("cyl_bessel_i0", cyl_bessel_i0, bessel<0>, -60, 60, 16);
  check<double>("cyl_bessel_i1", cyl_bessel_i1, bessel<1>, -60, 60, 16);
  check<float>("cyl_bessel_i0f", cyl_bessel_i0f, bessel<0>, -30, 30, 1);
  check<float>("cyl_bessel_i1f", cyl_bessel_i1f, bessel<1>, -30, 30, 1);
  CHECK(std::isfinite(cyl_bessel_i0(713.0)));
  CHECK(cyl_bessel_i0(720.0) == kInfinity);
  CHECK(cyl_bessel_i1(-kInfinity) == -kInfinity);
}

TEST_CASE("fast forms are those of the C library, with the GPU's odd arguments") {
  CHECK(__expf(1.5f) == std::exp(1.5f));
  CHECK(__exp10f(2.0f) == 100.0f);
  CHECK(__logf(2.5f) == std::log(2.5f));
  CHECK(__log2f(8.0f) == 3);
  CHECK(__log10f(1000.0f) == 3);
  CHECK(__sinf(0.5f) == std::sin(0.5f));
  CHECK(__tanf(0.5f) == std::tan(0.5f));
  float s, c;
  __sincosf(0.75f, &s, &c);
  CHECK((s == std::sin(0.75f) && c == std::cos(0.75f)));
  CHECK(__powf(2.0f, 10.0f) == 1024);
  CHECK(std::isnan(__powf(-2.0f, 2.0f)));
  CHECK(__fdividef(6.0f, 3.0f) == 2);
  CHECK(__fdividef(0x1p126f, 0x1p126f) == 1);
  CHECK(__fdividef(0x1p126f, 0x1.000002p126f) == 0);
  CHECK(std::isnan(__fdividef(std::numeric_limits<float>::infinity(), 0x1p127f)));
  CHECK(__saturatef(1.5f) == 1);
  CHECK(__saturatef(-1.5f) == 0);
  CHECK(__saturatef(0.25f) == 0.25f);
  CHECK(__saturatef(std::nanf("")) == 0);
}

TEST_CASE("min and max of mixed types have CUDA's result types") {
  static_assert(std::is_same_v<decltype(min(1, 2)), int>);
  static_assert(std::is_same_v<decltype(min(1, 2u)), unsigned>);
  static_assert(std::is_same_v<decltype(max(1l, 2ul)), unsigned long>);
  static_assert(std::is_same_v<decltype(max(1ll, 2ll)), long long>);
  static_assert(std::is_same_v<decltype(min(1.0f, 2.0f)), float>);
  static_assert(std::is_same_v<decltype(min(1.0f, 2.0)), double>);
  CHECK(min(-1, 2u) == 2u);  // -1 is the largest unsigned number
  CHECK(max(-1, 2) == 2);
  CHECK(min(1ull << 40, 5ll) == 5);
  const float nan = std::nanf("");
  CHECK((min(nan, 1.0f) == 1 && max(1.0f, nan) == 1 && std::isnan(min(nan, nan))));
  CHECK((std::signbit(min(0.0f, -0.0f)) && std::signbit(min(-0.0f, 0.0f))));
  CHECK_FALSE((std::signbit(max(0.0, -0.0)) || std::signbit(max(-0.0, 0.0))));
  test::RandomValues<float> values(3);
  for (int i = 0; i < 100000; ++i) {
    const float a = values.next(), b = i % 5 == 0 ? -a : values.next();
    const bool first = a < b || (a == b && std::signbit(a)) || std::isnan(b);
    REQUIRE(test::same(min(a, b), first ? a : b));
    REQUIRE(test::same(max(a, b), -min(-a, -b)));
  }
  CHECK((umin(3, 2) == 2 && llmax(-3, 2) == 2 && ullmin(3, 2) == 2));
}

TEST_CASE("functions of the C library are overloaded for float in the global namespace") {
  static_assert(std::is_same_v<decltype(::sqrt(1.0f)), float>);
  static_assert(std::is_same_v<decltype(::abs(-1.5f)), float>);
  static_assert(std::is_same_v<decltype(::pow(2.0f, 3.0f)), float>);
  static_assert(std::is_same_v<decltype(::erfinv(0.5f)), float>);
  static_assert(std::is_same_v<decltype(::exp10(1.0f)), float>);
  CHECK(::abs(-1.5f) == 1.5f);
}

}  // namespace
}  // namespace convkit
