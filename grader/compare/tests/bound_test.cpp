// SPDX-License-Identifier: MIT
// The bound never fails a correct sum, whatever its order, and seldom passes a wrong one.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <vector>

#include "catch.h"
#include "compare/compare.h"

using convkit::compare;
using convkit::Tolerance;

namespace {

using Products = std::vector<std::pair<float, float>>;

struct Expected {
  double sum = 0;
  double magnitude = 0;
};

// In long double, so that the reference's own error does not matter.
Expected expected(const Products& products, float bias) {
  long double sum = bias, magnitude = std::fabs(bias);
  for (const auto& [x, w] : products) {
    sum += static_cast<long double>(x) * w;
    magnitude += std::fabs(static_cast<long double>(x) * w);
  }
  return {double(sum), double(magnitude)};
}

float forward(const Products& products, float bias) {
  float sum = bias;
  for (const auto& [x, w] : products) {
    const volatile float product = x * w;  // no contraction to FMA
    sum += product;
  }
  return sum;
}

float forward_fma(const Products& products, float bias) {
  float sum = bias;
  for (const auto& [x, w] : products) sum = std::fma(x, w, sum);
  return sum;
}

float backward(const Products& products, float bias) {
  float sum = 0;
  for (size_t i = products.size(); i-- > 0;) {
    const volatile float product = products[i].first * products[i].second;
    sum += product;
  }
  return sum + bias;
}

float pairwise_range(const Products& products, size_t begin, size_t end) {
  if (end - begin == 1) return products[begin].first * products[begin].second;
  const size_t middle = begin + (end - begin) / 2;
  return pairwise_range(products, begin, middle) + pairwise_range(products, middle, end);
}

float pairwise(const Products& products, float bias) {
  return pairwise_range(products, 0, products.size()) + bias;
}

// Eight interleaved partial sums, as vector code keeps them.
float blocked(const Products& products, float bias) {
  float partial[8] = {};
  for (size_t i = 0; i < products.size(); ++i) {
    partial[i % 8] = std::fma(products[i].first, products[i].second, partial[i % 8]);
  }
  float sum = bias;
  for (float part : partial) sum += part;
  return sum;
}

using Value = std::function<float(std::mt19937&)>;

Value uniform() {
  return [](std::mt19937& random) { return std::uniform_real_distribution<float>(-1, 1)(random); };
}

Value normal() {
  return [](std::mt19937& random) { return std::normal_distribution<float>()(random); };
}

// Magnitudes from the subnormal range to 2^60: cancellation and underflow at their worst.
Value wild() {
  return [](std::mt19937& random) {
    const int exponent = std::uniform_int_distribution<int>(-140, 60)(random);
    return std::ldexp(std::uniform_real_distribution<float>(-1, 1)(random), exponent);
  };
}

Products some_products(std::mt19937& random, size_t count, const Value& value) {
  Products products(count);
  for (auto& [x, w] : products) {
    x = value(random);
    w = value(random);
  }
  return products;
}

bool passes(float got, const Expected& reference, size_t products) {
  return compare(std::vector{got}, std::vector{reference.sum}, std::vector{reference.magnitude},
                 Tolerance{double(products + 1)})
      .passed();
}

// The share of `trials` in which one product with a flipped sign is noticed.
double flips_noticed(const Value& value, size_t count, int trials, unsigned seed) {
  std::mt19937 random(seed);
  int noticed = 0;
  for (int trial = 0; trial < trials; ++trial) {
    Products products = some_products(random, count, value);
    const float bias = value(random);
    const Expected reference = expected(products, bias);
    auto& [x, w] = products[std::uniform_int_distribution<size_t>(0, count - 1)(random)];
    x = -x;
    noticed += !passes(forward(products, bias), reference, count);
  }
  return double(noticed) / trials;
}

}  // namespace

TEST_CASE("a correct sum passes in any order, with and without FMA") {
  using Sum = float (*)(const Products&, float);
  std::mt19937 random(20240301);
  for (const Value& value : {uniform(), normal(), wild()}) {
    for (int trial = 0; trial < 700; ++trial) {
      const size_t count = std::uniform_int_distribution<size_t>(1, 1200)(random);
      Products products = some_products(random, count, value);
      const float bias = value(random);
      const Expected reference = expected(products, bias);
      for (Sum sum : {forward, forward_fma, backward, pairwise, blocked}) {
        REQUIRE(passes(sum(products, bias), reference, count));
        std::shuffle(products.begin(), products.end(), random);
        REQUIRE(passes(sum(products, bias), reference, count));
      }
    }
  }
}

TEST_CASE("one flipped sign in one product among 576 is noticed in at least 95 % of trials") {
  constexpr int kTrials = 20000;
  const double of_uniform = flips_noticed(uniform(), 576, kTrials, 1);
  const double of_normal = flips_noticed(normal(), 576, kTrials, 2);
  std::printf("flipped sign among 576 products noticed: uniform %.2f %%, normal %.2f %%\n",
              100 * of_uniform, 100 * of_normal);
  CHECK(of_uniform >= 0.95);
  CHECK(of_normal >= 0.95);
}

TEST_CASE("products of values rounded to 11 bits are noticed in at least 90 % of trials") {
  std::mt19937 random(3);
  int noticed = 0;
  constexpr int kTrials = 1000;
  for (int trial = 0; trial < kTrials; ++trial) {
    Products products = some_products(random, 64, uniform());
    const Expected reference = expected(products, 0);
    for (auto& [x, w] : products) {
      x = std::round(x * 2048) / 2048;
      w = std::round(w * 2048) / 2048;
    }
    noticed += !passes(forward(products, 0), reference, 64);
  }
  CHECK(noticed >= 0.90 * kTrials);
}
