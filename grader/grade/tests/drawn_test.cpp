// SPDX-License-Identifier: MIT
// Cases whose inputs are drawn while grading, on an operation that is defined here.
#include "grade/drawn_case.h"

#include <vector>

#include "catch.h"
#include "compare/precision.h"
#include "convkit/kit_error.h"

namespace convkit {
namespace {

constexpr int64_t kProducts = 1152, kOutputs = 1024;

// y[i] = sum of a[i][k] b[i][k]
std::optional<std::vector<double>> dots(const Evidence& evidence) {
  std::vector<double> y(kOutputs);
  for (size_t i = 0; i < y.size() * kProducts; ++i) {
    y[i / kProducts] += double(evidence.inputs[0].f32[i]) * double(evidence.inputs[1].f32[i]);
  }
  return y;
}
const ProductSum kDots[] = {{"drawn_dots", dots}};
const RegisterProductSums kDotsRegistered(kDots);

Stage stage_with(const char* op) {
  DrawnTable table;
  table.name = "precision";
  table.title = "Many products";
  table.op = op;
  table.terms = kProducts;
  table.inputs = {{"a", {kOutputs, kProducts}}, {"b", {kOutputs, kProducts}}};
  table.output = {"y", {kOutputs}};
  Stage stage;
  stage.products = {{op, {"a", "b"}}};
  stage.drawn = {table};
  return stage;
}

// What a submission that first applies `change` to every element makes of the trial.
template <class Change>
CaseResult answered(Trial& trial, Change change) {
  const auto a = as<float>(trial.input(0)), b = as<float>(trial.input(1));
  std::vector<float> y(kOutputs, 0);
  for (size_t i = 0; i < a.size(); ++i) y[i / kProducts] += change(a[i]) * change(b[i]);
  CaseResult result;
  result.status = Status::pass;
  trial.judge(0, std::as_bytes(std::span(y)), false, result);
  return result;
}

}  // namespace

TEST_CASE("a drawn case accepts a float32 sum and refuses inputs that were rounded to TF32") {
  const Stage stage = stage_with("drawn_dots");
  const auto cases = drawn_cases(stage, "visible", false);
  REQUIRE(cases.size() == 1);
  CHECK(cases[0]->head().summary == "Many products.");
  const auto trial = cases[0]->trial(0);
  CHECK(answered(*trial, [](float value) { return value; }).status == Status::pass);
  const CaseResult refused =
      answered(*trial, [](float value) { return input_formats()[0].rounded(value, 1); });
  CHECK(refused.status == Status::wrong);
  CHECK(refused.mistake == "lost_precision");
  CHECK_THAT(refused.message, Catch::Contains("TF32 inputs"));
}

TEST_CASE("a seed decides what is drawn") {
  const Stage stage = stage_with("drawn_dots");
  const auto first = [&](const char* seed) {
    return as<float>(drawn_cases(stage, seed, true)[0]->trial(0)->input(0))[0];
  };
  CHECK(first("a") == first("a"));
  CHECK(first("a") != first("b"));
}

TEST_CASE("a drawn case without a model is the kit's fault") {
  const Stage stage = stage_with("nobody_knows_this");
  CHECK_THROWS_AS(drawn_cases(stage, "visible", false)[0]->trial(0), KitError);
}

}  // namespace convkit
