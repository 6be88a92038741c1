// SPDX-License-Identifier: MIT
// The statistical criterion accepts every way to sum in float32 and refuses rounded inputs, from 4
// to 4608 products. `convkit_compare_tests "[table]"` prints the table of docs/precision.md.
#include "compare/precision.h"

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "catch.h"
#include "float_sums.h"

using namespace convkit;

namespace {

constexpr int kProducts[] = {4, 9, 27, 100, 576, 1152, 4608};

std::optional<double> ratio_of(const Simulation& all, int products) {
  return precision_ratio(all.got, all.reference, all.magnitude, {all.first, all.second},
                         {double(products)});
}

// y = sum of a b, `products` apart.
std::optional<std::vector<double>> dots(const Evidence& evidence) {
  const size_t count = size_t(evidence.params.at("products"));
  std::vector<double> y(evidence.got.f32.size());
  for (size_t i = 0; i < y.size() * count; ++i) {
    y[i / count] += double(evidence.inputs[0].f32[i]) * double(evidence.inputs[1].f32[i]);
  }
  return y;
}
const ProductSum kDots[] = {{"test_dots", dots}};
const RegisterProductSums kDotsRegistered(kDots);

Evidence evidence_of(const Simulation& all, int products) {
  Evidence evidence;
  evidence.op = "test_dots";
  evidence.params["products"] = products;
  evidence.inputs = {{"a", {}, all.first, {}, {}}, {"b", {}, all.second, {}, {}}};
  evidence.got = {"y", {int64_t(all.got.size())}, all.got, {}, {}};
  evidence.reference = {"y", {int64_t(all.got.size())}, {}, all.reference, {}};
  evidence.magnitude = all.magnitude;
  evidence.tolerance = {double(products)};
  evidence.comparison = compare(all.got, all.reference, all.magnitude, evidence.tolerance);
  return evidence;
}

FloatProgram program(const std::string& name) {
  for (const FloatProgram& known : programs()) {
    if (known.name == name) return known;
  }
  FAIL("there is no program " << name);
  throw;
}

}  // namespace

TEST_CASE("float32 sums of every kind pass, rounded inputs do not") {
  for (const FloatProgram& one : programs()) {
    for (const int products : kProducts) {
      if (products < one.fewest || products > 576) continue;  // more: the tests below
      CAPTURE(one.name, products);
      const auto ratio = ratio_of(one.run(products, unsigned(products)), products);
      REQUIRE(ratio);
      if (one.name == "Winograd F(4x4, 3x3)") continue;  // may miss: docs/precision.md
      CHECK((*ratio <= kMostPrecisionRatio) == one.honest);
    }
  }
}

TEST_CASE("the smallest of all errors that must be seen: 16 bits and 4608 products") {
  for (const char* name : {"16-bit fixed-point inputs", "TF32, one factor"}) {
    CHECK(*ratio_of(program(name).run(4608, 1), 4608) > kMostPrecisionRatio);
  }
  CHECK(*ratio_of(program("sequential").run(4608, 1), 4608) < 0.7);
}

// The constant of the derivation, and that the pooled mean square hardly varies.
TEST_CASE("the ratio of sequential sums is what the derivation says") {
  for (const int products : {9, 100}) {
    double lowest = 10, highest = 0;
    for (unsigned seed = 0; seed < 25; ++seed) {
      const double ratio = *ratio_of(program("sequential").run(products, seed), products);
      lowest = std::min(lowest, ratio), highest = std::max(highest, ratio);
    }
    CAPTURE(products, lowest, highest);
    CHECK(lowest > 0.4);
    CHECK(highest < 0.7);
    CHECK(highest < 1.25 * lowest);
  }
}

TEST_CASE("the format is named that explains the errors, and no other") {
  const auto named = [](const std::string& name) {
    const Simulation all = program(name).run(100, 3);
    return lost_inputs(evidence_of(all, 100), {"a", "b"}).value_or("");
  };
  // Both keep 11 bits; only numbers below 2^-14 tell them apart.
  CHECK_THAT(named("TF32 inputs"), Catch::StartsWith("TF32 inputs"));
  CHECK(named("TF32 (cut, not rounded), one factor") == "a rounded to TF32 (cut, not rounded)");
  CHECK(named("bfloat16 inputs") == "bfloat16 inputs");
  CHECK(named("16-bit fixed-point inputs") == "16-bit fixed-point inputs");
  CHECK_THAT(named("float16 inputs"), Catch::Contains("float16 inputs"));
  CHECK(named("sequential").empty());
  CHECK(named("3xTF32").empty());
  // An error as large as that of TF32 that is not TF32's.
  Simulation other = program("TF32 inputs").run(100, 3);
  for (size_t i = 0; i < other.got.size(); ++i) {
    other.got[i] = float(2 * other.reference[i]) - other.got[i];
  }
  CHECK_FALSE(lost_inputs(evidence_of(other, 100), {"a", "b"}));
}

TEST_CASE("an output within its bound is refused with the name and the size of its error") {
  const Simulation all = program("TF32 inputs").run(1152, 3);
  const Evidence evidence = evidence_of(all, 1152);
  CHECK(evidence.comparison.passed());
  const auto diagnosis = judge_precision(evidence, {"a", "b"});
  REQUIRE(diagnosis);
  CHECK(diagnosis->id == "lost_precision");
  CHECK_THAT(diagnosis->message, Catch::StartsWith("The error is that of TF32 inputs"));
  CHECK_THAT(diagnosis->message, Catch::Contains(" times float32's."));

  const Simulation honest = program("sequential").run(1152, 3);
  CHECK_FALSE(judge_precision(evidence_of(honest, 1152), {"a", "b"}));
}

TEST_CASE("the criterion says nothing where its conditions do not hold") {
  const Simulation all = program("bfloat16 inputs").run(27, 3);
  REQUIRE(ratio_of(all, 27));
  SECTION("too few outputs") {
    Simulation few = all;
    few.got.resize(999), few.reference.resize(999), few.magnitude.resize(999);
    CHECK_FALSE(ratio_of(few, 27));
  }
  SECTION("signs that are not random") {
    Simulation positive = all;
    for (float& value : positive.second) value = std::fabs(value);
    CHECK_FALSE(ratio_of(positive, 27));
  }
  SECTION("sums that do not cancel") {
    Simulation large = all;
    for (size_t i = 0; i < large.got.size(); ++i) large.reference[i] = large.magnitude[i];
    CHECK_FALSE(ratio_of(large, 27));
  }
  SECTION("inputs that TF32 holds exactly") {
    Simulation exact = all;
    for (float& value : exact.first) value = input_formats()[0].rounded(value, 1);
    CHECK_FALSE(ratio_of(exact, 27));
  }
  SECTION("an output that is not a number") {
    Simulation broken = all;
    broken.got[5] = NAN;
    CHECK_FALSE(ratio_of(broken, 27));
  }
  SECTION("a stage that asks for less than float32") {
    CHECK_FALSE(precision_ratio(all.got, all.reference, all.magnitude, {all.first, all.second},
                                {27, 0x1p-11}));
  }
}

TEST_CASE("another float32 sum may be the reference") {
  const auto against_baseline = [](const char* name) {
    Simulation all = program(name).run(576, 5);
    const Simulation baseline = program("pairwise").run(576, 5);
    all.reference.assign(baseline.got.begin(), baseline.got.end());
    return *precision_ratio(all.got, all.reference, all.magnitude, {all.first, all.second}, {576},
                            true);
  };
  CHECK(against_baseline("sequential") < 1);
  CHECK(against_baseline("TF32 inputs") > 10 * kMostPrecisionRatio);
}

TEST_CASE("the table of docs/precision.md", "[.][table]") {
  std::printf("| program |");
  for (const int products : kProducts) std::printf(" %d |", products);
  std::printf("\n| --- |%s\n", std::string(std::size(kProducts), '-')
                                   .replace(0, 7, " --: | --: | --: | --: | --: | --: | --: |")
                                   .c_str());
  for (const FloatProgram& one : programs()) {
    std::printf("| %s |", one.name.c_str());
    for (const int products : kProducts) {
      if (products < one.fewest) {
        std::printf(" |");
        continue;
      }
      const double ratio = *ratio_of(one.run(products, 1), products);
      const bool refused = ratio > kMostPrecisionRatio;
      CHECK(refused != one.honest);
      std::printf(" %s%.*f%s |", refused ? "**" : "", ratio < 10 ? 2 : 0, ratio,
                  refused ? "**" : "");
    }
    std::printf("\n");
  }
}
