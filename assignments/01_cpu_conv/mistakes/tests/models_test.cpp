// SPDX-License-Identifier: MIT
// Every model of a mistake in stage 01 is named when it happens, and no other.
#include <fnmatch.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <set>
#include <string_view>
#include <tuple>

#include "cases.h"
#include "catch.h"
#include "compare/closeness.h"

using namespace convkit;

namespace {

uint64_t bits_of(double value) {
  return std::bit_cast<uint64_t>(value);
}
bool is(double value, double special) {
  return bits_of(value) == bits_of(special);
}

// The output of an implementation with exactly this mistake: the prediction, rounded to float.
std::vector<float> as_output(const std::vector<double>& prediction) {
  std::vector<float> output;
  for (double value : prediction) {
    uint32_t bits = std::bit_cast<uint32_t>(float(value));
    if (is(value, predicted_unwritten())) bits = kSentinelBits;
    if (is(value, predicted_from_unwritten())) bits = kQuietedSentinelBits;
    if (is(value, predicted_anything())) bits = std::bit_cast<uint32_t>(12345.0f);
    output.push_back(0);
    std::memcpy(&output.back(), &bits, sizeof bits);
  }
  return output;
}

std::vector<int32_t> as_int_output(const std::vector<double>& prediction) {
  return {prediction.begin(), prediction.end()};
}

// The prediction for this case alone: models look at the output only to rule themselves out.
std::optional<std::vector<double>> prediction(const MistakeModel& model, const MadeCase& on,
                                              const std::vector<std::string>& libraries = {}) {
  if (fnmatch(model.op, on.op.c_str(), 0) != 0) return std::nullopt;
  const std::vector<float> got(on.reference.size());
  const std::vector<int32_t> int_got(on.int_reference.size());
  Evidence evidence = on.is_int() ? on.evidence(int_got) : on.evidence(got);
  evidence.got.f32 = {};
  evidence.libraries = libraries;
  return model.predict(evidence);
}

template <class Judge>
void judge_output(const MadeCase& on, const std::vector<double>& predicted, Judge judge) {
  if (on.is_int()) {
    const auto got = as_int_output(predicted);
    judge(on.evidence(got));
  } else {
    const auto got = as_output(predicted);
    judge(on.evidence(got));
  }
}

// Whether the prediction is farther from the reference than rounding could explain, on as many
// elements as it takes to name a mistake.
bool is_telling(const Evidence& evidence, const MistakeModel& model,
                const std::vector<double>& predicted) {
  const Closeness closeness(evidence, 2 * model.slack);
  int64_t telling = 0, zeros = 0, unwritten = 0;
  for (size_t i = 0; i < predicted.size(); ++i) {
    zeros += predicted[i] == 0;
    unwritten += is(predicted[i], predicted_unwritten());
    if (is(predicted[i], predicted_anything())) continue;
    telling += evidence.reference.f64.empty() || std::isinf(predicted[i]) ||
               !closeness.close(predicted[i], evidence.reference.f64[i]);
  }
  const auto elements = int64_t(predicted.size());
  if (evidence.reference.f64.empty()) return true;
  if (!model.of_nothing && (zeros == elements || unwritten == elements)) return false;
  return telling >= (model.fewest > 0 ? model.fewest : std::clamp<int64_t>(elements / 10, 4, 16));
}

// Whether two predictions can be told apart.
bool same(const Evidence& evidence, double slack, const std::vector<double>& a,
          const std::vector<double>& b) {
  const Closeness closeness(evidence, slack);
  for (size_t i = 0; i < a.size(); ++i) {
    const bool alike = is(a[i], predicted_anything()) || is(b[i], predicted_anything()) ||
                       bits_of(a[i]) == bits_of(b[i]) || (std::isnan(a[i]) && std::isnan(b[i])) ||
                       a[i] == b[i] || closeness.close(a[i], b[i]);
    if (!alike) return false;
  }
  return true;
}

// Shapes in which no two sizes are equal, so that mistakes show. Odd and even sizes, pads that are
// smaller than the kernel, strides and dilations that differ.
Conv2dShape some_shape(std::mt19937& random) {
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  Conv2dShape s;
  s.n = pick(2, 3);
  s.c = pick(2, 4);
  s.m = s.c + pick(1, 2);
  s.kh = pick(2, 4);
  s.kw = s.kh == 4 ? 2 : s.kh + 1;
  s.stride_h = pick(1, 3);
  s.stride_w = s.stride_h % 3 + 1;
  s.dilation_h = pick(1, 2);
  s.dilation_w = 3 - s.dilation_h;
  s.pad_h = pick(0, 2);
  s.pad_w = s.pad_h == 2 ? 1 : s.pad_h + 1;
  s.h = pick(10, 16);
  s.w = s.h + pick(1, 4);
  return s;
}

Pool2dShape some_pool(std::mt19937& random) {
  const Conv2dShape s = some_shape(random);
  Pool2dShape pool{s.n, s.c, s.h, s.w, 3, 4, 1, 2, s.stride_h, s.stride_w};
  if (random() % 2 == 0) pool = {s.n, s.c, s.h, s.w, 4, 3, 2, 1, s.stride_h, s.stride_w};
  return pool;
}

std::vector<MadeCase> some_cases(std::mt19937& random) {
  std::vector<MadeCase> cases;
  for (const char* op : {"conv2d_forward", "conv2d_fast", "conv2d_same_forward"}) {
    cases.push_back(conv_case(op, some_shape(random), random));
  }
  cases.push_back(max_pool_case(some_pool(random), random));
  cases.push_back(avg_pool_case(some_pool(random), random() % 2 == 0, random));
  cases.push_back(global_avg_pool_case(3, 4, 5, 6, random));
  for (const char* op : {"relu_forward", "leaky_relu_forward", "sigmoid_forward", "tanh_forward"}) {
    cases.push_back(activation_case(op, random));
  }
  cases.push_back(dense_case(3, 17, 5, random));
  cases.push_back(softmax_case(4, 6, 2, random));
  cases.push_back(softmax_case(4, 6, 80, random));
  // Rows of which one is far below 0 and another far above it.
  cases.push_back(softmax_case(4, 6, 2, random));
  for (size_t i = 0; i < 12; ++i) cases.back().inputs.at("x")[i] += i < 6 ? -1000 : 200;
  for (const char* op : {"nchw_to_nhwc", "nhwc_to_nchw"}) {
    cases.push_back(layout_case(op, 2, 3, 4, 5, random));
  }
  for (const auto& [size, kernel, stride, dilation] : {std::tuple{10, 4, 1, 1},
                                                       {11, 3, 2, 2},
                                                       {10, 3, 2, 1},
                                                       {12, 1, 4, 1},
                                                       {12, 5, 3, 3},
                                                       {11, 6, 3, 2},
                                                       {13, 4, 3, 1}}) {
    cases.push_back(same_padding_case(size, kernel, stride, dilation));
  }
  return cases;
}

}  // namespace

TEST_CASE("every mistake of the stage is named, and none in place of another") {
  std::mt19937 random(11);
  std::set<const MistakeModel*> named;
  std::set<std::string> ops;                   // of this stage
  std::set<const MistakeModel*> of_libraries;  // which this stage does not use
  int outputs = 0, confused = 0;
  for (int round = 0; round < 12; ++round) {
    for (const MadeCase& on : some_cases(random)) {
      ops.insert(on.op);
      for (const MistakeModel& model : registered_mistakes()) {
        const auto predicted = prediction(model, on);
        if (!predicted && prediction(model, on, {"cudnn"})) of_libraries.insert(&model);
        if (!predicted) continue;
        judge_output(on, *predicted, [&](const Evidence& evidence) {
          if (evidence.comparison.passed()) return;  // the mistake makes no difference here
          if (!is_telling(evidence, model, *predicted)) return;
          ++outputs;
          const MistakeModel* found = matching_mistake(evidence);
          CAPTURE(on.op, model.id, model.sentence, round);
          if (found != nullptr) {
            CAPTURE(found->id, found->sentence);
            CHECK(std::string_view(found->id) == model.id);
            if (found == &model) named.insert(&model);
            return;
          }
          // Two mistakes may come to the same on one shape; then none is named.
          ++confused;
          const auto explains_too = [&](const MistakeModel& other) {
            if (std::string_view(other.id) == model.id) return false;
            const auto prediction_too = prediction(other, on);
            return prediction_too &&
                   same(evidence, std::max(model.slack, other.slack), *predicted, *prediction_too);
          };
          const auto all = registered_mistakes();
          CHECK(std::any_of(all.begin(), all.end(), explains_too));
        });
      }
    }
  }
  std::printf("mistakes: %d outputs, %d of them left without a name as several fit\n", outputs,
              confused);
  for (const MistakeModel& model : registered_mistakes()) {
    const bool of_this_stage = std::any_of(ops.begin(), ops.end(), [&](const std::string& op) {
      return fnmatch(model.op, op.c_str(), 0) == 0;
    });
    const bool of_any_stage = std::string_view(model.op) == "*";  // the comparator's own
    if (!of_this_stage || of_any_stage || of_libraries.contains(&model)) continue;
    CAPTURE(model.id, model.op, model.sentence);
    CHECK(named.count(&model) == 1);
  }
}

TEST_CASE("a correct output and an arbitrary one match no mistake") {
  std::mt19937 random(12);
  for (int round = 0; round < 5; ++round) {
    for (const MadeCase& on : some_cases(random)) {
      if (on.is_int()) continue;
      const auto correct = as_output(on.reference);
      CHECK(matching_mistake(on.evidence(correct)) == nullptr);
      const auto noise = normal_values(random, int64_t(on.reference.size()));
      CHECK(matching_mistake(on.evidence(noise)) == nullptr);
      auto one_wrong = correct;
      one_wrong[one_wrong.size() / 2] += 1;
      CAPTURE(on.op);
      CHECK(matching_mistake(on.evidence(one_wrong)) == nullptr);
    }
  }
}
