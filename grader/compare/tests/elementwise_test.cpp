// SPDX-License-Identifier: MIT
// What wrong elements of an elementwise operation have in common.
#include <cmath>
#include <string>
#include <vector>

#include "catch.h"
#include "compare/formula/mistakes.h"
#include "compare/patterns.h"

using namespace convkit;

namespace {

constexpr const char* kBent = "y[i<size] = if(x[i:size] > 0, 3 * x[i:size], bend * x[i:size])";
const OperationFormula kBentFormulas[] = {{"bent", kBent, ""}};
const RegisterFormulas kRegisteredBent(kBentFormulas);

// y from x, element by element.
struct Elements {
  std::vector<float> x;
  std::vector<float> got;
  std::vector<double> expected, magnitude;

  template <class Right, class Wrong>
  Elements(std::vector<float> inputs, Right right, Wrong wrong) : x(std::move(inputs)) {
    for (const float one : x) {
      expected.push_back(right(double(one)));
      magnitude.push_back(std::fabs(expected.back()));
      got.push_back(wrong(one));
    }
  }

  std::string told(const std::string& op = "any") {
    Evidence evidence;
    evidence.op = op;
    evidence.params = {{"bend", 0.25}};
    const int64_t size = int64_t(x.size());
    evidence.inputs.push_back({"x", {size}, x, {}, {}});
    evidence.got = {"y", {size}, got, {}, {}};
    evidence.reference = {"y", {size}, {}, expected, {}};
    evidence.magnitude = magnitude;
    evidence.tolerance.terms = 4;
    evidence.comparison = compare(got, expected, magnitude, evidence.tolerance);
    const auto pattern = elementwise_values(Field(evidence));
    return pattern ? pattern->sentence : "";
  }
};

std::vector<float> near_zero() {
  std::vector<float> x;
  for (int i = 1; i <= 20; ++i) x.push_back(float(i % 2 == 0 ? i : -i) * 0.00013f);
  return x;
}

}  // namespace

TEST_CASE("a difference of two numbers near 1 that are almost equal is named") {
  const auto expm1 = [](double x) { return std::expm1(x); };
  Elements lost(near_zero(), expm1, [](float x) { return std::exp(x) - 1; });
  CHECK(lost.told().starts_with("Digits are lost near 0: no wrong output is off by more than"));
  // In the numerator of a quotient.
  const auto tanh = [](double x) { return std::tanh(x); };
  Elements quotient(near_zero(), tanh, [](float x) {
    return (std::exp(x) - std::exp(-x)) / (std::exp(x) + std::exp(-x));
  });
  CHECK(quotient.told().starts_with("Digits are lost near 0"));
}

TEST_CASE("digits that cancel far from 0 are said to be lost where the result is near 0") {
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  std::vector<float> x;
  for (int i = 1; i <= 30; ++i) x.push_back(-5 - 1.3f * float(i));
  Elements lost(x, sigmoid, [](float value) { return (1 + std::tanh(value / 2)) / 2; });
  CHECK(lost.told().starts_with("Digits are lost where the result is near 0: no wrong output"));
}

TEST_CASE("digits that cancel in double are said to be lost, too") {
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  std::vector<float> x;
  for (int i = 1; i <= 60; ++i) x.push_back(-5 - 1.2f * float(i));
  Elements lost(x, sigmoid,
                [](float value) { return float(0.5 + 0.5 * std::tanh(0.5 * double(value))); });
  CAPTURE(lost.told());
  CHECK(lost.told().starts_with("Digits are lost where the result is near 0: no wrong output"));
  CHECK(lost.told().find("the rounding of a number near 1 in double,") != std::string::npos);
}

TEST_CASE("one number for all inputs beyond some point is told with the point") {
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  std::vector<float> x;
  for (int i = 1; i <= 30; ++i) x.push_back(-2.0f * float(i));
  const auto of = [](float value) { return 1 / (1 + std::exp(-value)); };
  Elements clamped(x, sigmoid, [&](float value) { return of(std::fmax(value, -30.0f)); });
  CHECK(clamped.told() ==
        "All wrong outputs are where x is up to -32, and are the same number, 9.36e-14, where "
        "numbers from 8.8e-27 to 1.3e-14 are expected. x, or what is computed from it, is limited "
        "(clamped) there.");
  Elements zero(x, sigmoid, [&](float value) { return value < -20 ? 0 : of(value); });
  CHECK(zero.told() ==
        "All wrong outputs are where x is up to -22, and are 0, where numbers from 8.8e-27 to "
        "2.8e-10 are expected.");
  // On the other side of 0.
  for (float& one : x) one = -one;
  Elements above(
      x, [](double v) { return 2 * v; }, [](float value) { return 2 * std::fmin(value, 50.0f); });
  CHECK(above.told() ==
        "All wrong outputs are where x is from 52 on, and are the same number, 100, where numbers "
        "from 1e+02 to 1.2e+02 are expected. x, or what is computed from it, is limited "
        "(clamped) there.");
}

TEST_CASE("one number where right results lie among the wrong ones is not laid to a limit") {
  const auto twice = [](double x) { return 2 * x; };
  const std::vector<float> x = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  Elements among(x, twice, [](float value) { return value > 4 && value != 9 ? 8 : 2 * value; });
  CHECK(among.told().empty());
  // Too few to tell.
  Elements few(x, twice, [](float value) { return std::fmin(2 * value, 15.0f); });
  CHECK(few.told().empty());
}

TEST_CASE("small errors that come of something else are not called lost digits") {
  const auto tanh = [](double x) { return std::tanh(x); };
  std::vector<float> x;
  for (int i = 1; i <= 20; ++i) x.push_back(float(i) * 0.0003f);
  // The next term of the series is missing.
  Elements series(x, tanh, [](float value) { return value; });
  CHECK(series.told().empty());
  Elements scaled(x, tanh, [](float value) { return std::tanh(value) * 1.00001f; });
  CHECK(scaled.told().empty());
}

namespace {

double bent(double x) {
  return x > 0 ? 3 * x : 0.25 * x;
}
// With another threshold.
float bent_from(float x, float threshold) {
  return x > threshold ? 3 * x : 0.25f * x;
}

}  // namespace

TEST_CASE("a comparison with a parameter instead of 0 is named by where the wrong inputs lie") {
  const std::vector<float> many = {-2, 0.05f, 3, 0.1f, -0.5f, 0.2f, 0.24f, 0.3f, 1, -0.1f};
  Elements one(many, bent, [](float x) { return bent_from(x, 0.25f); });
  CHECK(one.told("bent") ==
        "All wrong outputs are where x lies between 0 and bend (0.25), and are what belongs on the "
        "other side of 0. x is compared with bend instead of 0.");
  const std::vector<float> few = {-2, 0.05f, 3, -0.5f, 0.3f, 1, -0.1f};
  Elements two(few, bent, [](float x) { return bent_from(x, 0.25f); });
  CHECK(two.told("bent") ==
        "The wrong output is where x lies between 0 and bend (0.25), and is what belongs on the "
        "other side of 0. Perhaps x is compared with bend instead of 0.");
}

TEST_CASE("a comparison with some other number is named where it shows often enough") {
  const std::vector<float> x = {-2, 0.05f, 3, 0.1f, -0.5f, 0.2f, 0.7f, 0.9f, 1, -0.1f};
  Elements one(x, bent, [](float value) { return bent_from(value, 0.8f); });
  CHECK(one.told("bent") ==
        "All wrong outputs are where x lies between 0 and 0.7, and are what belongs on the other "
        "side of 0. x is compared with another number than 0.");
  Elements below(x, bent, [](float value) { return bent_from(value, -0.3f); });
  CHECK(below.told("bent").empty());  // one alone says nothing
}

TEST_CASE("other wrong values, or wrong ones among right ones, are not laid to the threshold") {
  const std::vector<float> x = {-2, 0.05f, 3, 0.1f, -0.5f, 0.2f, 0.24f, 0.3f, 1, -0.1f};
  Elements other(x, bent, [](float value) {
    return value > 0 && value < 0.25f ? 2 * value : bent_from(value, 0);
  });
  CHECK(other.told("bent").empty());
  Elements among(x, bent,
                 [](float value) { return value != 0.1f ? bent_from(value, 0.25f) : 3 * value; });
  CHECK(among.told("bent").empty());
  Elements side(x, bent, [](float value) { return 0.25f * value; });
  CHECK(side.told("bent").empty());
}
