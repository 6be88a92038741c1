// SPDX-License-Identifier: MIT
// An element, computed so that a reader can follow it.
#include "compare/by_hand.h"

#include <string>
#include <vector>

#include "catch.h"
#include "compare/formula/mistakes.h"
#include "convkit/sentinel.h"

using namespace convkit;

namespace {

const OperationFormula kByHandFormulas[] = {
    {"by_hand_conv",
     "y[image<n, map<m, i<oh, j<ow] = b[map:m] + sum(k<c, p<kh, q<kw) x[image:n, k:c, "
     "i - pad_h + p ? h, j - pad_w + q ? w] * w[map:m, k:c, p:kh, q:kw]",
     ""},
    {"by_hand_pool", "y[i<oh, j<ow] = (sum(p<kh, q<kw) x[i + p : h, j + q : w]) / (kh * kw)", ""},
    {"by_hand_max", "y[i<oh] = max(p<kw) x[i + p - pad_w ? w]", ""},
    {"by_hand_row", "y[i<rows] = sum(k<inner) a[i:rows, k:inner] * b[k:inner]", ""},
    {"by_hand_plain", "y[i<size] = x[i:size] + 1", ""},
};
const RegisterFormulas kRegisteredByHand(kByHandFormulas);

// The inputs count 1, 2, 3, ...; the output is the reference but for the elements that are named.
struct Made {
  Made(const char* op, std::map<std::string, double> params,
       const std::vector<std::pair<std::string, size_t>>& inputs, std::vector<int64_t> dims,
       std::vector<double> expected, std::map<size_t, float> wrong = {})
      : reference(std::move(expected)), got(reference.begin(), reference.end()) {
    for (const auto& [at, value] : wrong) got[at] = value;
    magnitude.assign(reference.size(), 10);
    for (const auto& [name, size] : inputs) {
      auto& values = data.emplace_back();
      for (size_t i = 0; i < size; ++i) values.push_back(static_cast<float>(i + 1));
    }
    evidence.op = op;
    evidence.params = std::move(params);
    for (size_t i = 0; i < inputs.size(); ++i) {
      evidence.inputs.push_back({inputs[i].first, {}, data[i], {}, {}});
    }
    evidence.got = {"y", dims, got, {}, {}};
    evidence.reference = {"y", dims, {}, reference, {}};
    evidence.magnitude = magnitude;
    evidence.tolerance.terms = 10;
    evidence.comparison = compare(got, reference, magnitude, evidence.tolerance);
  }
  Made(const Made&) = delete;

  std::vector<double> reference, magnitude;
  std::vector<float> got;
  std::vector<std::vector<float>> data;
  Evidence evidence;
};

float sentinel() {
  float value;
  fill_sentinel(&value, sizeof value);
  return value;
}

std::string squeezed(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c != ' ' || (!result.empty() && result.back() != ' ')) result += c;
  }
  return result;
}

const std::map<std::string, double> kConv = {{"n", 1},     {"c", 1},  {"h", 2},  {"w", 2},
                                             {"m", 1},     {"kh", 2}, {"kw", 2}, {"pad_h", 1},
                                             {"pad_w", 1}, {"oh", 3}, {"ow", 3}};
// x = 1 2 / 3 4 under a border of zeros, w = 1 2 / 3 4, b = 1.
const std::vector<double> kConvolved = {5, 12, 7, 15, 31, 15, 7, 12, 5};

}  // namespace

TEST_CASE("A window is drawn with what it reads, the products and their sum", "[by_hand]") {
  const Made made("by_hand_conv", kConv, {{"x", 4}, {"w", 4}, {"b", 1}}, {1, 1, 3, 3}, kConvolved,
                  {{4, 20}});
  const std::string text = by_hand(made.evidence, telling_element(made.evidence));
  INFO(text);
  CHECK(text.starts_with("y[0,0,1,1] by hand (image 0, map 0, i 1, j 1):\n  b[map] + "));
  const std::string plain = squeezed(text);
  CHECK(plain.find("x w product\n 1 2 1 2 1 4\n 3 4 3 4 9 16\n") != std::string::npos);
  CHECK(plain.find("Together: sum 30 of 4 products; b[0] = 1\n") != std::string::npos);
  CHECK(text.ends_with("expected 31, got 20.\n"));
  CHECK(text.find("outside") == std::string::npos);
}

TEST_CASE("What lies outside is no part of a window's sum", "[by_hand]") {
  const Made made("by_hand_conv", kConv, {{"x", 4}, {"w", 4}, {"b", 1}}, {1, 1, 3, 3}, kConvolved,
                  {{0, 9}});
  const std::string text = by_hand(made.evidence, telling_element(made.evidence));
  INFO(text);
  const std::string plain = squeezed(text);
  CHECK(plain.find("\n - - 1 2 - -\n - 1 3 4 - 4\n") != std::string::npos);
  CHECK(plain.find("- lies outside and does not count.") != std::string::npos);
  CHECK(plain.find("sum 4 of 1 product; b[0] = 1\n") != std::string::npos);
}

TEST_CASE("A mean is told by its sum and what that is divided by", "[by_hand]") {
  const Made made("by_hand_pool", {{"h", 2}, {"w", 2}, {"kh", 2}, {"kw", 2}, {"oh", 1}, {"ow", 1}},
                  {{"x", 4}}, {1, 1}, {2.5}, {{0, 10}});
  const std::string text = by_hand(made.evidence, 0);
  INFO(text);
  CHECK(text.find("Together: sum 10 of 4 elements, divided by 4\n") != std::string::npos);
  CHECK(text.find("product") == std::string::npos);
  CHECK(text.ends_with("expected 2.50000, got 10.00000.\n"));
}

TEST_CASE("A maximum is told by its largest element", "[by_hand]") {
  const Made made("by_hand_max", {{"w", 3}, {"kw", 3}, {"pad_w", 1}, {"oh", 3}}, {{"x", 3}}, {3},
                  {2, 3, 3}, {{0, 0}});
  const std::string text = by_hand(made.evidence, 0);
  INFO(text);
  CHECK(text.find("Together: largest 2 of 2 elements\n") != std::string::npos);
}

TEST_CASE("A long sum is cut, and says so", "[by_hand]") {
  double sum = 0;
  for (int i = 1; i <= 100; ++i) sum += i * i;
  const Made made("by_hand_row", {{"rows", 1}, {"inner", 100}}, {{"a", 100}, {"b", 100}}, {1},
                  {sum}, {{0, 1}});
  const std::string text = by_hand(made.evidence, 0);
  INFO(text);
  CHECK(text.find("Drawn are the first 8 of 13 rows") != std::string::npos);
  CHECK(text.find("sum 338350 of 100 products") != std::string::npos);
}

TEST_CASE("Several windows are told apart by the loop around them, and the rest is summed",
          "[by_hand]") {
  auto params = kConv;
  params["c"] = 5;
  params["pad_h"] = params["pad_w"] = 0;
  params["oh"] = params["ow"] = 1;
  double expected = 1;
  for (int i = 1; i <= 20; ++i) expected += i * i;
  const Made made("by_hand_conv", params, {{"x", 20}, {"w", 20}, {"b", 1}}, {1, 1, 1, 1},
                  {expected}, {{0, 0}});
  const std::string text = by_hand(made.evidence, 0);
  INFO(text);
  CHECK(text.find("  k 0: sum 30\n") != std::string::npos);
  CHECK(text.find("  k 2: sum 446\n") != std::string::npos);
  CHECK(text.find("  k 3 to k 4: sum 2220\n") != std::string::npos);
  CHECK(text.find("sum 2870 of 20 products") != std::string::npos);
}

TEST_CASE("The worst number is looked at before what was never written", "[by_hand]") {
  const Made made("by_hand_max", {{"w", 3}, {"kw", 3}, {"pad_w", 1}, {"oh", 3}}, {{"x", 3}}, {3},
                  {2, 3, 3}, {{0, sentinel()}, {1, 4}, {2, 90}});
  CHECK(telling_element(made.evidence) == 2);
  const Made unwritten("by_hand_max", {{"w", 3}, {"kw", 3}, {"pad_w", 1}, {"oh", 3}}, {{"x", 3}},
                       {3}, {2, 3, 3}, {{1, sentinel()}});
  REQUIRE(telling_element(unwritten.evidence) == 1);
  CHECK(by_hand(unwritten.evidence, 1).ends_with("Expected 3; it was never written.\n"));
}

TEST_CASE("Nothing is drawn where nothing is summed, or where no formula is known", "[by_hand]") {
  const Made plain("by_hand_plain", {{"size", 2}}, {{"x", 2}}, {2}, {2, 3}, {{0, 7}});
  CHECK(by_hand(plain.evidence, 0) == "");
  const Made unknown("by_hand_unknown", {{"size", 2}}, {{"x", 2}}, {2}, {2, 3}, {{0, 7}});
  CHECK(by_hand(unknown.evidence, 0) == "");
}
