// SPDX-License-Identifier: MIT
// Orders and first weights that follow another rule, in cases of the test's own.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "catch.h"
#include "compare/tests/made_case.h"
#include "convkit/counter_random.h"

namespace convkit {
namespace {

constexpr uint64_t kSeed = 41;

// range(i) elements to draw among, from this stream.
template <class Range>
std::vector<int32_t> shuffled(int32_t count, uint64_t stream, Range range) {
  std::vector<int32_t> order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (int32_t i = count - 1; i > 0; --i) {
    const uint64_t j = random_bits(kSeed, stream, uint64_t(i)) % uint64_t(range(i));
    std::swap(order[size_t(i)], order[size_t(j)]);
  }
  return order;
}

MadeCase order_case(int32_t count, int epoch) {
  MadeCase made;
  made.op = "epoch_order";
  made.output = "order";
  made.dims = {count};
  made.params = {{"count", count}, {"epoch", epoch}, {"seed", double(kSeed)}};
  made.int_reference = shuffled(count, 1000 + uint64_t(epoch), [](int32_t i) { return i + 1; });
  return made;
}

MadeCase start_case(int size, double limit, uint64_t stream) {
  MadeCase made;
  made.op = "initialise";
  made.output = "w";
  made.dims = {size};
  made.terms = 4;
  made.params = {{"size", size}, {"fan_in", 12},          {"fan_out", 30},
                 {"xavier", 0},  {"seed", double(kSeed)}, {"stream", double(stream)}};
  for (int i = 0; i < size; ++i) {
    const double r = double(uniform_float(kSeed, stream, uint64_t(i)));
    made.reference.push_back(limit * (2 * r - 1));
    made.magnitude.push_back(limit);
  }
  return made;
}

}  // namespace

TEST_CASE("an order that is drawn by another rule is told by the rule") {
  const MadeCase made = order_case(60, 4);
  const auto named = [&](const std::vector<int32_t>& got) {
    return diagnose(made.evidence(got)).id;
  };
  const auto right = [](int32_t i) { return i + 1; };
  CHECK(named(shuffled(60, 1000, right)) == "order_without_epoch");
  CHECK(named(shuffled(60, 1005, right)) == "order_of_other_epoch");
  CHECK(named(shuffled(60, 1004, [](int32_t i) { return i; })) == "order_never_in_place");
  CHECK(named(shuffled(60, 1004, [](int32_t) { return 60; })) == "order_among_all");
  CHECK(named(shuffled(60, 77, right)).empty());
  // Not set to 0, 1, 2, ...: the order of epoch 0, or of another one, is shuffled.
  const std::vector<int32_t> fourth = shuffled(60, 1004, right);
  for (const uint64_t before : {1000, 1003}) {
    const std::vector<int32_t> held = shuffled(60, before, right);
    std::vector<int32_t> order;
    for (const int32_t place : fourth) order.push_back(held[size_t(place)]);
    CHECK(named(order) == (before == 1000 ? "order_not_set_anew" : ""));
  }
  // The other way: order[i] with order[first(i) + j], j below range(i).
  const auto upwards = [](auto range, auto first) {
    std::vector<int32_t> order(60);
    std::iota(order.begin(), order.end(), 0);
    for (int32_t i = 0; i < 60; ++i) {
      const uint64_t j = random_bits(kSeed, 1004, uint64_t(i)) % uint64_t(range(i));
      std::swap(order[size_t(i)], order[size_t(first(i)) + j]);
    }
    return order;
  };
  const auto from_0 = [](int32_t) { return 0; };
  CHECK(named(upwards(right, from_0)) == "order_upwards");
  CHECK(named(upwards([](int32_t) { return 60; }, from_0)) == "order_upwards");
  CHECK(named(upwards([](int32_t i) { return 60 - i; }, [](int32_t i) { return i; })) ==
        "order_upwards");
}

TEST_CASE("an order by sorting is another shuffle, and told as one") {
  const MadeCase made = order_case(45, 7);
  const auto named = [&](uint64_t stream, bool by_rank) {
    std::vector<std::pair<uint64_t, int32_t>> keys;
    for (int32_t i = 0; i < 45; ++i) keys.emplace_back(~random_bits(kSeed, stream, uint64_t(i)), i);
    std::sort(keys.begin(), keys.end());
    std::vector<int32_t> order(45);
    for (int32_t i = 0; i < 45; ++i) {
      const int32_t image = keys[size_t(i)].second;
      order[size_t(by_rank ? image : i)] = by_rank ? 44 - i : image;
    }
    return diagnose(made.evidence(order)).id;
  };
  CHECK(named(1007, false) == "order_by_sorting");
  CHECK(named(1007, true) == "order_by_sorting");
  CHECK(named(7, false).empty());
}

TEST_CASE("a variance of parts that lacks what their means differ by is told") {
  constexpr int kImages = 3, kChannels = 2, kArea = 50, kCount = kImages * kArea;
  MadeCase made;
  made.op = "batchnorm_forward";
  made.output = "y";
  made.dims = {kImages, kChannels, kArea};
  made.terms = 200;
  made.params = {{"n", kImages}, {"c", kChannels}, {"area", kArea}, {"epsilon", 0.01}};
  std::mt19937 random(15);
  made.inputs = {
      {"x", normal_values(random, kCount * kChannels)}, {"scale", {2, 3}}, {"shift", {0.5f, -1}}};
  const std::vector<float> x = made.inputs["x"];
  // part(image, position): what the distances of an element are taken from the mean of.
  const auto normalised = [&](auto part) {
    std::vector<double> y(x.size());
    for (int k = 0; k < kChannels; ++k) {
      std::map<int, std::vector<double>> parts;
      double mean = 0, squares = 0;
      for (int i = 0; i < kCount; ++i) {
        const double value = double(x[size_t((i / kArea * kChannels + k) * kArea + i % kArea)]);
        parts[part(i / kArea, i)].push_back(value);
        mean += value / kCount;
      }
      for (const auto& [number, values] : parts) {
        const double own = std::accumulate(values.begin(), values.end(), 0.0) / values.size();
        for (const double value : values) squares += (value - own) * (value - own);
      }
      const double deviation = std::sqrt(squares / kCount + 0.01);
      for (int i = 0; i < kCount; ++i) {
        const auto at = size_t((i / kArea * kChannels + k) * kArea + i % kArea);
        y[at] = (double(x[at]) - mean) / deviation * (k == 0 ? 2 : 3) + (k == 0 ? 0.5 : -1);
      }
    }
    return y;
  };
  made.reference = normalised([](int, int) { return 0; });
  made.magnitude.assign(x.size(), 10);
  const auto named = [&](auto part) {
    const std::vector<double> y = normalised(part);
    return diagnose(made.evidence(std::vector<float>(y.begin(), y.end()))).id;
  };
  CHECK(named([](int, int i) { return i % 64; }) == "variance_within_parts");
  CHECK(named([](int image, int) { return image; }) == "variance_within_parts");
  CHECK(named([](int, int i) { return i % 7; }).empty());
}

TEST_CASE("first weights of another range are told by the range") {
  const double limit = std::sqrt(6 / 12.0);
  const MadeCase made = start_case(70, limit, 3);
  const auto named = [&](double scale, double from, double to, uint64_t stream) {
    std::vector<float> got;
    for (uint64_t i = 0; i < 70; ++i) {
      got.push_back(float(scale * (from + (to - from) * double(uniform_float(kSeed, stream, i)))));
    }
    return diagnose(made.evidence(got)).id;
  };
  CHECK(named(limit, 0, 1, 3) == "weights_never_negative");
  CHECK(named(limit, -0.5, 0.5, 3) == "weights_half_as_wide");
  CHECK(named(std::sqrt(2 / 12.0), -1, 1, 3) == "weights_by_deviation");
  CHECK(named(std::sqrt(6 / 30.0), -1, 1, 3) == "weights_of_other_fan");
  CHECK(named(limit, -1, 1, 0) == "weights_of_other_numbers");
  CHECK(named(limit, -1, 1, 9).empty());
}

TEST_CASE("a normalisation's gradient without the terms of mean and variance is told") {
  MadeCase made;
  made.op = "batchnorm_backward";
  made.output = "dx";
  made.dims = {2, 2, 5};
  made.terms = 20;
  made.params = {{"n", 2}, {"c", 2}, {"area", 5}};
  std::mt19937 random(5);
  made.inputs = {{"x", normal_values(random, 20)},
                 {"dy", normal_values(random, 20)},
                 {"scale", {2, 3}},
                 {"mean", {0, 0}},
                 {"inverse", {0.5f, 0.25f}}};
  std::vector<float> got;
  for (size_t i = 0; i < 20; ++i) {
    const size_t k = i / 5 % 2;
    got.push_back(made.inputs["scale"][k] * made.inputs["inverse"][k] * made.inputs["dy"][i]);
    made.reference.push_back(double(got[i]) - 0.1 - 0.05 * double(made.inputs["x"][i]));
    made.magnitude.push_back(4);
  }
  CHECK(diagnose(made.evidence(got)).id == "statistics_as_constants");
}

TEST_CASE("first weights of a network of another limit or stream are told") {
  // conv1_weight is parameter 0 of network 2, of 3 filters 2 x 3 x 3.
  constexpr int kWeights = 54;
  const auto drawn = [](double limit, uint64_t stream) {
    std::vector<double> w;
    for (uint64_t i = 0; i < kWeights; ++i) {
      w.push_back(limit * (2 * double(uniform_float(kSeed, stream, i)) - 1));
    }
    return w;
  };
  MadeCase made;
  made.op = "network_start";
  made.output = "new_conv1_weight";
  made.dims = {3, 2, 3, 3};
  made.terms = 4;
  made.params = {{"net", 2}, {"seed", double(kSeed)}};
  made.reference = drawn(std::sqrt(3 / 18.0), 0);
  made.magnitude.assign(kWeights, 1);
  const auto named = [&](const std::vector<double>& w) {
    return diagnose(made.evidence(std::vector<float>(w.begin(), w.end()))).id;
  };
  CHECK(named(drawn(std::sqrt(6 / 18.0), 0)) == "limit_in_network");
  CHECK(named(drawn(std::sqrt(3 / 2.0), 0)) == "limit_in_network");
  CHECK(named(drawn(std::sqrt(3 / 18.0), 1)) == "stream_in_network");
  CHECK(named(drawn(std::sqrt(3 / 18.0), 9)).empty());
}

namespace {

// y[image][o] = sum of x[image][i] * w[o][i]; `turned`: of x[image][o] * w[o][i] for y[image][i].
std::vector<double> product(const std::vector<double>& x, const std::vector<float>& w, size_t in,
                            size_t out, bool turned = false) {
  const size_t images = x.size() / (turned ? out : in);
  std::vector<double> y(images * (turned ? in : out), 0);
  for (size_t at = 0; at < images * in * out; ++at) {
    const size_t image = at / in / out, o = at / in % out, i = at % in;
    const size_t from = image * (turned ? out : in) + (turned ? o : i);
    y[image * (turned ? in : out) + (turned ? i : o)] += x[from] * double(w[o * in + i]);
  }
  return y;
}

std::vector<double> doubles(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

}  // namespace

TEST_CASE("a gradient through another choice of dropout than the forward pass's is told") {
  // Network 3: 16 inputs, dense 8, ReLU, dropout 0.25 as layer 3, dense 4.
  constexpr size_t kImages = 5;
  std::mt19937 random(21);
  MadeCase made;
  made.op = "network_gradients";
  made.output = "dx";
  made.dims = {kImages, 1, 4, 4};
  made.terms = 60;
  made.params = {{"net", 3}, {"n", kImages}, {"seed", double(kSeed)}, {"step", 6}};
  made.inputs = {{"x", normal_values(random, 16 * kImages)},
                 {"dlogits", normal_values(random, 4 * kImages)},
                 {"dense1_weight", normal_values(random, 16 * 8)},
                 {"dense1_bias", std::vector<float>(8, 0.5f)},
                 {"dense2_weight", normal_values(random, 8 * 4)},
                 {"dense2_bias", std::vector<float>(4, 0.25f)}};
  const auto& inputs = made.inputs;
  const auto hidden = product(doubles(inputs.at("x")), inputs.at("dense1_weight"), 16, 8);
  const auto gradient = [&](uint64_t step) {
    auto dy = product(doubles(inputs.at("dlogits")), inputs.at("dense2_weight"), 8, 4, true);
    for (size_t i = 0; i < dy.size(); ++i) {
      const float drawn = uniform_float(kSeed, (step + 1) * 65536 + 3, i);
      dy[i] = drawn < 0.25f || hidden[i] + 0.5 <= 0 ? 0 : dy[i] / 0.75;
    }
    return product(dy, inputs.at("dense1_weight"), 16, 8, true);
  };
  made.reference = gradient(6);
  made.magnitude.assign(made.reference.size(), 30);
  const auto told = [&](uint64_t step) {
    const auto dx = gradient(step);
    return diagnose(made.evidence(std::vector<float>(dx.begin(), dx.end()))).message;
  };
  CHECK_THAT(told(0), Catch::Contains("drops other elements than in the forward pass, those of "
                                      "step 0"));
  CHECK_THAT(told(7), Catch::Contains("those of the next step"));
  CHECK_THAT(told(3), !Catch::Contains("drops other elements"));
}

TEST_CASE("a network that computes with its first parameters is told") {
  // Network 0: 20 inputs, dense 7, ReLU, dense 4.
  constexpr size_t kImages = 3;
  std::mt19937 random(23);
  MadeCase made;
  made.op = "network_forward";
  made.output = "logits";
  made.dims = {kImages, 4};
  made.terms = 60;
  made.params = {{"net", 0}, {"n", kImages}, {"seed", double(kSeed)}, {"training", 1}};
  made.inputs = {{"x", normal_values(random, 20 * kImages)},
                 {"dense1_weight", normal_values(random, 20 * 7)},
                 {"dense1_bias", std::vector<float>(7, 0.0f)},
                 {"dense2_weight", normal_values(random, 7 * 4)},
                 {"dense2_bias", std::vector<float>(4, 0.0f)}};
  const auto logits = [&](const std::vector<float>& first, const std::vector<float>& second) {
    auto y = product(doubles(made.inputs.at("x")), first, 20, 7);
    for (double& value : y) value = std::max(value, 0.0);
    return product(y, second, 7, 4);
  };
  const auto drawn = [](size_t size, double fan, uint64_t stream) {
    std::vector<float> w;
    for (size_t i = 0; i < size; ++i) {
      w.push_back(float(std::sqrt(3 / fan) * (2 * double(uniform_float(kSeed, stream, i)) - 1)));
    }
    return w;
  };
  made.reference = logits(made.inputs.at("dense1_weight"), made.inputs.at("dense2_weight"));
  made.magnitude.assign(made.reference.size(), 30);
  const auto told = [&](uint64_t stream) {
    const auto y = logits(drawn(140, 20, 0), drawn(28, 7, stream));
    return diagnose(made.evidence(std::vector<float>(y.begin(), y.end()))).message;
  };
  CHECK_THAT(told(2), Catch::Contains("with the parameters that it was created with"));
  CHECK_THAT(told(1), !Catch::Contains("that it was created with"));
}

TEST_CASE("a loss that is the logarithm of an underflowed probability is told") {
  MadeCase made;
  made.op = "softmax_cross_entropy";
  made.output = "losses";
  made.dims = {3};
  made.terms = 10;
  made.params = {{"n", 3}, {"k", 2}};
  made.inputs = {{"logits", {0, 200, 1, 3, 150, -150}}, {"labels", {0, 1, 1}}};
  made.reference = {200, std::log(1 + std::exp(-2.0)), 300};
  made.magnitude = {400, 4, 600};
  const float infinite = std::numeric_limits<float>::infinity();
  const std::vector<float> got = {infinite, float(made.reference[1]), infinite};
  CHECK(diagnose(made.evidence(got)).id == "loss_of_probability");
}

}  // namespace convkit
