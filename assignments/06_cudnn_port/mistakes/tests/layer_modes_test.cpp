// SPDX-License-Identifier: MIT
// Layers in another mode of the library, in cases of the test's own.
#include <algorithm>
#include <cmath>
#include <limits>

#include "catch.h"
#include "compare/tests/made_case.h"

namespace convkit {
namespace {

std::string named(const MadeCase& made, const std::vector<float>& got,
                  std::vector<std::string> libraries = {"cudnn"}) {
  Evidence evidence = made.evidence(got);
  evidence.libraries = std::move(libraries);
  return diagnose(evidence).id;
}

MadeCase with_tanh(std::vector<float> x) {
  MadeCase made;
  made.op = "tanh_forward";
  made.params = {{"size", double(x.size())}};
  made.dims = {int64_t(x.size())};
  made.terms = 8;
  for (const float value : x) made.reference.push_back(std::tanh(double(value)));
  made.magnitude.assign(x.size(), 1);
  made.inputs = {{"x", std::move(x)}};
  return made;
}

constexpr int kPlanes = 2, kRows = 7, kColumns = 8;

// Windows side by side.
std::vector<float> largest(const std::vector<float>& x, int kh, int kw) {
  std::vector<float> y;
  for (int plane = 0; plane < kPlanes; ++plane) {
    for (int i = 0; i + kh <= kRows; i += 1) {
      for (int j = 0; j + kw <= kColumns; j += 1) {
        float best = -std::numeric_limits<float>::infinity();
        for (int at = 0; at < kh * kw; ++at) {
          const int row = i + at / kw, column = j + at % kw;
          best = std::max(best, x[size_t((plane * kRows + row) * kColumns + column)]);
        }
        y.push_back(best);
      }
    }
  }
  return y;
}

}  // namespace

TEST_CASE("another activation than the one asked for is named") {
  std::mt19937 random(5);
  const MadeCase made = with_tanh(normal_values(random, 90, 2));
  std::vector<float> relu, sigmoid;
  for (const float value : made.inputs.at("x")) {
    relu.push_back(std::max(value, 0.0f));
    sigmoid.push_back(float(1 / (1 + std::exp(-double(value)))));
  }
  CHECK(named(made, relu) == "other_activation");
  CHECK(named(made, sigmoid) == "other_activation");
}

TEST_CASE("outputs that are all 0 are alpha's, where only the library computes") {
  std::mt19937 random(6);
  const MadeCase made = with_tanh(normal_values(random, 40));
  const std::vector<float> zeros(40, 0.0f);
  CHECK(named(made, zeros) == "alpha_as_double");
  CHECK(named(made, zeros, {}) == "all_zero");
  CHECK(named(made, zeros, {"cublas", "cudnn"}) == "all_zero");
}

TEST_CASE("zeros of a gradient through an average may be y in the place of dy") {
  std::mt19937 random(8);
  MadeCase made;
  made.op = "avg_pool2d_backward";
  made.params = {{"n", 1},  {"c", 1},     {"h", 4},     {"w", 4},        {"kh", 2},
                 {"kw", 2}, {"pad_h", 0}, {"pad_w", 0}, {"stride_h", 2}, {"stride_w", 2}};
  made.dims = {1, 1, 4, 4};
  made.inputs = {{"dy", normal_values(random, 4)}};
  for (int i = 0; i < 16; ++i) {
    made.reference.push_back(double(made.inputs.at("dy")[size_t(i / 8 * 2 + i % 4 / 2)]) / 4);
  }
  made.magnitude.assign(16, 1);
  const std::vector<float> zeros(16, 0.0f);
  Evidence evidence = made.evidence(zeros);
  evidence.libraries = {"cudnn"};
  const Diagnosis told = diagnose(evidence);
  CHECK(told.id == "alpha_as_double");
  CHECK_THAT(told.message, Catch::Contains("y (or x) stood in the place of dy"));
}

TEST_CASE("a maximum that hands back y instead of dy is named") {
  std::mt19937 random(9);
  MadeCase made;
  made.op = "max_pool2d_backward";
  made.params = {{"n", 1},  {"c", kPlanes}, {"h", kRows}, {"w", kColumns}, {"kh", 2},
                 {"kw", 4}, {"pad_h", 0},   {"pad_w", 0}, {"stride_h", 1}, {"stride_w", 1}};
  made.dims = {1, kPlanes, kRows, kColumns};
  const std::vector<float> x = normal_values(random, kPlanes * kRows * kColumns);
  const std::vector<float> y = largest(x, 2, 4);
  const std::vector<float> dy = normal_values(random, int64_t(y.size()));
  std::vector<float> right(x.size(), 0.0f), exchanged(x.size(), 0.0f);
  for (size_t at = 0; at < y.size(); ++at) {
    // Normal values differ, so that the largest is found by its value.
    const size_t winner = size_t(std::ranges::find(x, y[at]) - x.begin());
    right[winner] += dy[at];
    exchanged[winner] += y[at];
  }
  made.inputs = {{"x", x}, {"dy", dy}};
  made.reference.assign(right.begin(), right.end());
  made.magnitude.assign(right.size(), 10);
  made.terms = 8;
  CHECK(named(made, exchanged) == "operands_swapped");
  CHECK(named(made, exchanged, {}).empty());
}

TEST_CASE("the gradient of ReLU or of a softmax with y and dy exchanged is named") {
  std::mt19937 random(10);
  constexpr size_t kRow = 6, kAll = 10 * kRow;
  const std::vector<float> dy = normal_values(random, int64_t(kAll));
  MadeCase made;
  made.dims = {10, int64_t(kRow)};
  made.params = {{"size", double(kAll)}, {"n", 10}, {"k", double(kRow)}};
  made.terms = 8;
  made.magnitude.assign(kAll, 4);
  std::vector<float> y, relu, softmax;
  for (const float value : normal_values(random, int64_t(kAll))) y.push_back(std::max(value, 0.1f));
  made.inputs = {{"y", y}, {"dy", dy}};
  std::vector<double> of_relu, of_softmax;
  for (size_t i = 0; i < kAll; ++i) {
    relu.push_back(dy[i] > 0 ? y[i] : 0);
    of_relu.push_back(double(y[i] > 0 ? dy[i] : 0));
    float sum = 0;
    for (size_t j = i / kRow * kRow; j < (i / kRow + 1) * kRow; ++j) sum += y[j] * dy[j];
    softmax.push_back(dy[i] * (y[i] - sum));
    of_softmax.push_back(double(y[i] * (dy[i] - sum)));
  }
  made.op = "relu_backward", made.reference = of_relu;
  CHECK(named(made, relu) == "operands_swapped");
  made.op = "softmax_backward", made.reference = of_softmax;
  CHECK(named(made, softmax) == "operands_swapped");
}

TEST_CASE("a window whose columns come first is named, also where it gives fewer outputs") {
  std::mt19937 random(7);
  MadeCase made;
  made.op = "max_pool2d_forward";
  const std::vector<float> x = normal_values(random, kPlanes * kRows * kColumns);
  const std::vector<float> right = largest(x, 2, 4);
  made.params = {{"n", 1},  {"c", kPlanes}, {"h", kRows}, {"w", kColumns}, {"kh", 2},
                 {"kw", 4}, {"pad_h", 0},   {"pad_w", 0}, {"stride_h", 1}, {"stride_w", 1}};
  made.dims = {1, kPlanes, kRows - 1, kColumns - 3};
  made.reference.assign(right.begin(), right.end());
  made.magnitude.assign(right.size(), 0);
  made.inputs = {{"x", x}};
  std::vector<float> got = largest(x, 4, 2);
  REQUIRE(got.size() < right.size());
  const size_t written = got.size();
  got.resize(right.size());
  for (size_t i = written; i < got.size(); ++i) {
    std::memcpy(&got[i], &kSentinelBits, sizeof kSentinelBits);
  }
  CHECK(named(made, got) == "window_columns_first");
}

}  // namespace convkit
