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

TEST_CASE("planes that are described as one are named") {
  std::mt19937 random(9);
  MadeCase made;
  made.op = "max_pool2d_forward";
  const std::vector<float> x = normal_values(random, kPlanes * kRows * kColumns);
  made.params = {{"n", 1},  {"c", kPlanes}, {"h", kRows}, {"w", kColumns}, {"kh", 3},
                 {"kw", 2}, {"pad_h", 0},   {"pad_w", 0}, {"stride_h", 2}, {"stride_w", 1}};
  constexpr int kOutRows = 3, kOutColumns = 7;
  made.dims = {1, kPlanes, kOutRows, kOutColumns};
  const auto pooled = [&](int rows, int of_rows) {
    std::vector<float> y;
    for (int first = 0; first < kPlanes * kRows; first += rows) {
      for (int i = 0; i < of_rows; ++i) {
        for (int j = 0; j < kOutColumns; ++j) {
          float best = -std::numeric_limits<float>::infinity();
          for (int at = 0; at < 6; ++at) {
            const int row = first + 2 * i + at / 2;
            best = std::max(best, x[size_t(row * kColumns + j + at % 2)]);
          }
          y.push_back(best);
        }
      }
    }
    return y;
  };
  const std::vector<float> right = pooled(kRows, kOutRows);
  made.reference.assign(right.begin(), right.end());
  made.magnitude.assign(right.size(), 0);
  made.inputs = {{"x", x}};
  const std::vector<float> got = pooled(2 * kRows, 6);
  REQUIRE(got.size() == right.size());
  CHECK(named(made, got) == "channels_merged");
  CHECK(named(made, got, {}) != "channels_merged");
}

TEST_CASE("a gradient of the bias over planes that lie side by side is named") {
  constexpr int kImages = 4, kMaps = 5, kPlane = 6;
  std::mt19937 random(9);
  MadeCase made;
  made.op = "conv2d_bgrad_cudnn";
  made.output = "db";
  made.dims = {kMaps};
  made.terms = 30;
  made.params = {{"n", kImages}, {"m", kMaps}, {"alpha", 0.5}, {"beta", 2}};
  const std::vector<float> dy = normal_values(random, kImages * kMaps * kPlane);
  const std::vector<float> before = normal_values(random, kMaps);
  made.inputs = {{"dy", dy}, {"db0", before}};
  // first(k, image): the plane of dy.
  const auto sums = [&](auto plane_of) {
    std::vector<float> db;
    for (int k = 0; k < kMaps; ++k) {
      double sum = 0;
      for (int image = 0; image < kImages; ++image) {
        for (int at = 0; at < kPlane; ++at) {
          sum += double(dy[size_t(plane_of(k, image) * kPlane + at)]);
        }
      }
      db.push_back(float(0.5 * sum + 2 * double(before[size_t(k)])));
    }
    return db;
  };
  const std::vector<float> right = sums([](int k, int image) { return image * kMaps + k; });
  made.reference.assign(right.begin(), right.end());
  made.magnitude.assign(kMaps, 30);
  CHECK(named(made, sums([](int k, int image) { return k * kImages + image; })) ==
        "maps_before_images");
  CHECK(named(made, sums([](int k, int image) { return (k * kImages + image + 1) % 20; })) !=
        "maps_before_images");
}

TEST_CASE("workspaces that have stayed behind in a table are named") {
  MadeCase made;
  made.op = "algorithm_table";
  made.output = "table";
  made.dims = {3, 4};
  made.int_reference.assign(12, 1);
  const auto message = [&](int32_t first, int32_t second) {
    std::vector<int32_t> table(12, 1);
    table[2] = first, table[10] = second;
    return diagnose(made.evidence(table)).message;
  };
  CHECK_THAT(message(17, 17), Catch::Contains("stand in the rows of other algorithms"));
  CHECK_THAT(message(17, 0), !Catch::Contains("stand in the rows of other algorithms"));
}

TEST_CASE("strides in the place of sizes are named") {
  MadeCase made;
  made.op = "conv2d_dims";
  made.output = "dims";
  made.dims = {4};
  made.params = {{"n", 2},         {"c", 3},        {"h", 9},        {"w", 8},
                 {"m", 7},         {"kh", 2},       {"kw", 3},       {"pad_h", 1},
                 {"pad_w", 0},     {"stride_h", 1}, {"stride_w", 2}, {"dilation_h", 1},
                 {"dilation_w", 1}};
  made.int_reference = {2, 7, 10, 3};
  const auto told = [&](const std::vector<int32_t>& dims) {
    return diagnose(made.evidence(dims)).id;
  };
  CHECK(told({210, 30, 3, 1}) == "dims_are_strides");
  CHECK(told({210, 10, 3, 1}) != "dims_are_strides");
}

}  // namespace convkit
