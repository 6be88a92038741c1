// SPDX-License-Identifier: MIT
// The adjoint identity on convolutions computed here, right and with one mistake.
#include "catch.h"
#include "convkit/conv2d_shape.h"
#include "grade/adjoint/identity.h"
#include "grade/seeds.h"

namespace convkit {
namespace {

std::vector<SizeFormula> dims(std::initializer_list<const char*> texts) {
  std::vector<SizeFormula> formulas;
  for (const char* text : texts) formulas.push_back(*SizeFormula::parse(text));
  return formulas;
}

// x gradients with m * kh * kw products in an element, weight gradients with n * oh * ow.
AdjointTable convolution(int64_t maps) {
  AdjointTable table;
  table.name = "adjoint";
  table.draws = 1;
  table.params = {{"n", {1, 2}},       {"c", {1, 3}},        {"h", {5, 9}},       {"w", {5, 9}},
                  {"m", {maps, maps}}, {"kh", {3, 3}},       {"kw", {3, 3}},      {"pad_h", {0, 2}},
                  {"pad_w", {0, 2}},   {"stride_h", {1, 2}}, {"stride_w", {1, 2}}};
  table.tensors = {{"x", dims({"n", "c", "h", "w"})},
                   {"w", dims({"m", "c", "kh", "kw"})},
                   {"dy", dims({"n", "m", "oh", "ow"})}};
  table.forward = {"conv", {"x", "w"}, "y", "dy", *SizeFormula::parse("c*kh*kw")};
  return table;
}

Conv2dShape shape_of(const AdjointDraw& draw) {
  const auto value = [&](const char* name) { return static_cast<int>(draw.params.at(name).value); };
  Conv2dShape s;
  s.n = value("n"), s.c = value("c"), s.h = value("h"), s.w = value("w");
  s.m = value("m"), s.kh = value("kh"), s.kw = value("kw");
  s.pad_h = value("pad_h"), s.pad_w = value("pad_w");
  s.stride_h = value("stride_h"), s.stride_w = value("stride_w");
  return s;
}

// Calls f(x index, w index, y index) for every product of the convolution.
template <class F>
void for_each_product(const Conv2dShape& s, F f) {
  for (int n = 0; n < s.n; ++n)
    for (int m = 0; m < s.m; ++m)
      for (int i = 0; i < s.oh(); ++i)
        for (int j = 0; j < s.ow(); ++j)
          for (int c = 0; c < s.c; ++c)
            for (int p = 0; p < s.kh; ++p)
              for (int q = 0; q < s.kw; ++q) {
                const int row = i * s.stride_h - s.pad_h + p, col = j * s.stride_w - s.pad_w + q;
                if (row < 0 || row >= s.h || col < 0 || col >= s.w) continue;
                f(size_t(((n * s.c + c) * s.h + row) * s.w + col),
                  size_t(((m * s.c + c) * s.kh + p) * s.kw + q),
                  size_t(((n * s.m + m) * s.oh() + i) * s.ow() + j));
              }
}

std::vector<float> conv(const AdjointDraw& draw, std::span<const float> x,
                        std::span<const float> w) {
  std::vector<float> y(draw.values.at("dy").size());
  for_each_product(shape_of(draw), [&](size_t at, size_t k, size_t o) { y[o] += x[at] * w[k]; });
  return y;
}

// As a float32 program computes it; product number `flipped` has the wrong sign.
std::vector<float> xgrad(const AdjointDraw& draw, int64_t flipped = -1) {
  const auto &w = draw.values.at("w"), &dy = draw.values.at("dy");
  std::vector<float> dx(draw.values.at("x").size());
  int64_t number = 0;
  for_each_product(shape_of(draw), [&](size_t at, size_t k, size_t o) {
    dx[at] += (number++ == flipped ? -1.0f : 1.0f) * w[k] * dy[o];
  });
  return dx;
}

std::vector<float> wgrad(const AdjointDraw& draw) {
  const auto &x = draw.values.at("x"), &dy = draw.values.at("dy");
  std::vector<float> dw(draw.values.at("w").size());
  for_each_product(shape_of(draw), [&](size_t at, size_t k, size_t o) { dw[k] += x[at] * dy[o]; });
  return dw;
}

struct Scene {
  explicit Scene(const std::string& seed_text, int64_t maps = 64)
      : table(convolution(maps)), seed(seed_text), draw(draw_adjoint(table, seed, 0)) {}

  AdjointFinding test(const std::string& pair, std::span<const float> got, double terms) const {
    AdjointBound bound;
    bound.forward_terms = static_cast<double>(table.forward.terms.value(draw.params));
    bound.own_terms = terms;
    return test_adjoint(
        draw, pair, "dy", got, bound, random_of(seed, "parts"),
        [&](const std::string& replaced, std::span<const float> values, bool magnitudes) {
          auto inputs = draw.values;
          inputs[replaced].assign(values.begin(), values.end());
          if (magnitudes) {
            for (auto& [name, tensor] : inputs) {
              for (float& value : tensor) value = std::fabs(value);
            }
          }
          return conv(draw, inputs.at("x"), inputs.at("w"));
        });
  }
  AdjointFinding test_x(std::span<const float> got) const {
    return test("x", got, draw.params.at("m").value * 9);
  }

  AdjointTable table;
  std::string seed;
  AdjointDraw draw;
};

std::string trial_seed(int trial) {
  return "trial " + std::to_string(trial);
}

}  // namespace

TEST_CASE("the right gradients pass the adjoint identity on every shape") {
  for (int trial = 0; trial < 60; ++trial) {
    const Scene scene(trial_seed(trial), 1 + trial % 9);
    const Conv2dShape s = shape_of(scene.draw);
    const AdjointFinding x = scene.test_x(xgrad(scene.draw));
    const AdjointFinding w = scene.test("w", wgrad(scene.draw), double(s.n) * s.oh() * s.ow());
    CHECK(x.wrong == 0);
    CHECK(w.wrong == 0);
    CHECK_FALSE((x.powerless || w.powerless));
  }
}

// An element of dx has up to 576 products, of which one has the wrong sign, in one element.
TEST_CASE("one product of 576 with the wrong sign fails the adjoint identity") {
  int trials = 0, caught = 0, named = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Scene scene(trial_seed(trial));
    int64_t products = 0;
    for_each_product(shape_of(scene.draw), [&](size_t, size_t, size_t) { ++products; });
    std::mt19937_64 random = random_of(scene.seed, "flipped");
    const auto flipped = static_cast<int64_t>(random() % static_cast<uint64_t>(products));
    const auto right = xgrad(scene.draw), wrong = xgrad(scene.draw, flipped);
    const AdjointFinding finding = scene.test_x(wrong);
    ++trials;
    caught += finding.wrong > 0;
    const auto at = std::mismatch(right.begin(), right.end(), wrong.begin()).first - right.begin();
    named += finding.element == at;
  }
  INFO(caught << " of " << trials << " caught, in " << named << " the element is named");
  CHECK(caught >= 0.95 * trials);
  CHECK(named == caught);
}

TEST_CASE("zeros, the opposite sign, twice the gradient and NaN fail the adjoint identity") {
  const Scene scene("mistakes", 6);
  const auto right = xgrad(scene.draw);
  const auto finding_of = [&](float factor) {
    std::vector<float> wrong = right;
    for (float& value : wrong) value *= factor;
    return scene.test_x(wrong);
  };
  const AdjointCheck check = {
      {"xgrad", {"dy", "w"}, "dx", "x", *SizeFormula::parse("m*kh*kw")}, "05.1", "gradients"};
  const auto words = [&](const AdjointFinding& finding) {
    CaseResult result;
    describe_finding({scene.table, check, scene.draw, scene.seed, 0}, finding, result);
    CHECK(result.status == Status::wrong);
    CHECK(result.mistake == "not_adjoint");
    return result.message;
  };
  REQUIRE(finding_of(1).wrong == 0);
  const AdjointFinding zero = finding_of(0);
  CHECK(zero.wrong > 0);
  CHECK(words(zero).find("Every part is zero.") != std::string::npos);
  CHECK(words(finding_of(-1)).find("the wrong sign") != std::string::npos);
  CHECK(words(finding_of(2)).find("twice what it should be") != std::string::npos);

  std::vector<float> one_off = right;
  one_off[7] += 0.5f;
  const AdjointFinding finding = scene.test_x(one_off);
  REQUIRE(finding.element == 7);
  CHECK(finding.expected == Approx(right[7]).margin(1e-4));
  CHECK(words(finding).find("drawn with seed \"mistakes\"") != std::string::npos);
  CHECK(words(finding).find("so the error is in xgrad") != std::string::npos);

  one_off[7] = std::numeric_limits<float>::quiet_NaN();
  CHECK(scene.test_x(one_off).wrong == 1);
}

TEST_CASE("an element that is nowhere used must be zero") {
  Scene scene("unused", 4);
  // A stride of 2 and no padding: the last row of an even height takes part in no product.
  for (int trial = 0;; ++trial) {
    scene = Scene(trial_seed(trial), 4);
    const Conv2dShape s = shape_of(scene.draw);
    if (s.stride_h == 2 && s.pad_h == 0 && s.h % 2 == 0) break;
  }
  std::vector<float> dx = xgrad(scene.draw);
  REQUIRE(dx.back() == 0);
  CHECK(scene.test_x(dx).wrong == 0);
  dx.back() = 0.25f;
  CHECK(scene.test_x(dx).wrong == 1);
}

TEST_CASE("a seed decides shape and values of an adjoint check") {
  const AdjointTable table = convolution(5);
  const AdjointDraw a = draw_adjoint(table, "seed", 0), b = draw_adjoint(table, "seed", 0);
  CHECK(a.values == b.values);
  CHECK(a.params_text() == b.params_text());
  CHECK(draw_adjoint(table, "seed", 1).values != a.values);
  CHECK(draw_adjoint(table, "other", 0).values != a.values);
  for (const auto& [name, values] : a.values) {
    for (const float value : values) CHECK((std::fabs(value) >= 0.5f && std::fabs(value) < 1));
  }
}

TEST_CASE("ranges without a shape that has an output are the kit's fault") {
  AdjointTable table = convolution(5);
  table.params["h"] = {1, 2};
  table.params["pad_h"] = {0, 0};
  CHECK_THROWS_WITH(draw_adjoint(table, "seed", 0),
                    "[[adjoint]] adjoint: no shape in its ranges has an output.");

  table = convolution(5);
  table.params["stride_h"] = {0, 0};
  CHECK_THROWS_WITH(draw_adjoint(table, "seed", 0), Catch::Contains("no shape in its ranges"));

  table = convolution(5);  // 1 + 65536 * 65535 rows
  table.params["kh"] = table.params["dilation_h"] = {65536, 65536};
  CHECK_THROWS_WITH(draw_adjoint(table, "seed", 0), Catch::Contains("no shape in its ranges"));
}

}  // namespace convkit
