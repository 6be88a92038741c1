// SPDX-License-Identifier: MIT
// What holds of the models of all stages. What each model names is tested in its stage's folder,
// mistakes/tests/, and all those tests see the models of all stages, as a submission does.
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "compare/diagnose.h"
#include "compare/precision.h"

using namespace convkit;

TEST_CASE("every mistake says what is wrong and what to look at in whole sentences") {
  REQUIRE(registered_mistakes().size() > 60);
  for (const MistakeModel& model : registered_mistakes()) {
    CAPTURE(model.id);
    CHECK(std::string_view(model.sentence).ends_with('.'));
    const std::string_view hint = model.hint;
    CHECK((hint.ends_with('.') || hint.ends_with('?') || hint.ends_with(".)")));
  }
}

namespace {

// An operation on random inputs of these sizes.
struct Drawn {
  Drawn(const char* op, std::map<std::string, double> params, std::map<std::string, int64_t> inputs,
        const char* output, std::vector<int64_t> dims) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> values(-1, 1);
    for (const auto& [name, size] : inputs) {
      std::vector<float>& tensor = (*data)[name];
      for (int64_t i = 0; i < size; ++i) tensor.push_back(values(random));
      evidence.inputs.push_back({name, {}, tensor, {}, {}});
    }
    evidence.op = op;
    evidence.params = std::move(params);
    evidence.got = evidence.reference = {output, dims, {}, {}, {}};
    evidence.comparison.elements = 1;
    for (const int64_t dim : dims) evidence.comparison.elements *= dim;
  }

  // Shared: the evidence of a copy looks at the same tensors.
  using Tensors = std::map<std::string, std::vector<float>>;
  std::shared_ptr<Tensors> data = std::make_shared<Tensors>();
  Evidence evidence;
};

}  // namespace

TEST_CASE("rounded inputs are named for every operation of every stage that sums products") {
  const std::map<std::string, double> window = {
      {"n", 2},        {"c", 3},          {"h", 6},          {"w", 5},     {"m", 4},
      {"kh", 3},       {"kw", 2},         {"pad_h", 1},      {"pad_w", 0}, {"stride_h", 1},
      {"stride_w", 1}, {"dilation_h", 1}, {"dilation_w", 1}, {"groups", 1}};
  const std::map<std::string, double> matrices = {{"rows", 7}, {"inner", 12}, {"cols", 9}};
  const std::map<std::string, double> dense = {{"n", 7}, {"in", 12}, {"out", 9}};
  auto scaled = window;
  scaled.insert({{"alpha", 1}, {"beta", 0}});
  const int64_t x = 2 * 3 * 6 * 5, w = 4 * 3 * 3 * 2, y = 2 * 4 * 6 * 4;
  const std::vector<int64_t> x_dims = {2, 3, 6, 5}, w_dims = {4, 3, 3, 2}, y_dims = {2, 4, 6, 4};
  const FactorNames forward = {"x", "w"}, to_x = {"dy", "w"}, to_w = {"x", "dy"};
  const std::vector<std::pair<Drawn, FactorNames>> all = {
      {{"conv2d_forward", window, {{"x", x}, {"w", w}, {"b", 4}}, "y", y_dims}, forward},
      {{"conv2d_cudnn", window, {{"x", x}, {"w", w}, {"b", 4}}, "y", y_dims}, forward},
      {{"matrix_product", matrices, {{"a", 84}, {"b", 108}}, "c", {7, 9}}, {"a", "b"}},
      {{"gemm_fast", matrices, {{"a", 84}, {"b", 108}}, "c", {7, 9}}, {"a", "b"}},
      {{"conv2d_xgrad_gather", window, {{"dy", y}, {"w", w}}, "dx", x_dims}, to_x},
      {{"conv2d_xgrad_cudnn", scaled, {{"dy", y}, {"w", w}}, "dx", x_dims}, to_x},
      {{"conv2d_wgrad_gemm", window, {{"x", x}, {"dy", y}}, "dw", w_dims}, to_w},
      {{"conv2d_wgrad_cudnn", scaled, {{"x", x}, {"dy", y}}, "dw", w_dims}, to_w},
      {{"dense_forward", dense, {{"x", 84}, {"w", 108}, {"b", 9}}, "y", {7, 9}}, forward},
      {{"dense_xgrad", dense, {{"dy", 63}, {"w", 108}}, "dx", {7, 12}}, to_x},
      {{"dense_wgrad", dense, {{"x", 84}, {"dy", 63}}, "dw", {9, 12}}, to_w}};
  for (const auto& [drawn, factors] : all) {
    Evidence evidence = drawn.evidence;
    CAPTURE(evidence.op);
    const auto right = product_sum(evidence);
    REQUIRE(right);
    Evidence rounded = evidence;
    Drawn::Tensors narrow = *drawn.data;
    for (CaseTensor& input : rounded.inputs) {
      const bool factor = input.name == factors[0] || input.name == factors[1];
      for (float& value : narrow[input.name]) {
        if (factor) value = input_formats()[3].rounded(value, 1);
      }
      input.f32 = narrow[input.name];
    }
    REQUIRE(std::string(input_formats()[3].name) == "bfloat16");
    const auto wrong = product_sum(rounded);
    const std::vector<float> got(wrong->begin(), wrong->end());
    evidence.reference.f64 = *right;
    evidence.got.f32 = got;
    CHECK(lost_inputs(evidence, factors) == "bfloat16 inputs");
  }
}
