// SPDX-License-Identifier: MIT
#include "grade/speed/rounds.h"

#include <fmt/format.h>

#include <algorithm>

#include "compare/precision.h"
#include "grade/speed/kernel_random.h"

namespace convkit {
namespace {

SessionOptions pinned(SessionOptions options, int cpu) {
  options.cpu = cpu;
  return options;
}

}  // namespace

Seat::Seat(const Contestant& one, int cpu) : contestant(one), session(pinned(one.options, cpu)) {
  timing.name = one.name;
  accept(session.start());
}

void Seat::accept(const Answer& answer) {
  if (timing.todo.empty()) timing.todo = answer.todo;
  if (answer.kind == Answer::Kind::ok) return;
  timing.outcome = answer.kind;
  timing.failure = answer;
}

std::vector<std::vector<float>> draw_magnitudes(const SpeedCase& speed) {
  KernelRandom random;
  std::vector<std::vector<float>> inputs;
  for (const TensorShape& shape : speed.inputs) {
    std::vector<float> values(static_cast<size_t>(shape.elements()));
    for (float& value : values) value = static_cast<float>((random() >> 40) + 1) * 0x1p-24f;
    inputs.push_back(std::move(values));
  }
  return inputs;
}

Params params_of(const SpeedCase& speed, const Contestant& contestant) {
  Params params = speed.params;
  for (const auto& [name, param] : contestant.params) params[name] = param;
  return params;
}

std::string op_of(const SpeedCase& speed, const Contestant& contestant) {
  return contestant.op.empty() ? speed.op : contestant.op;
}

void TimedJudge::set_magnitude(std::span<const float> output) {
  const Tolerance one{speed_.terms, stage_.unit_roundoff, 1};
  magnitude_.assign(output.begin(), output.end());
  for (double& value : magnitude_) value *= 1 + one.gamma();
}

std::string TimedJudge::fault(std::span<const float> got, std::span<const float> baseline,
                              const std::vector<std::span<const float>>& inputs,
                              const Contestant& contestant) const {
  const std::vector<double> expected(baseline.begin(), baseline.end());
  const Comparison comparison = compare(got, expected, magnitude_, tolerance());
  if (comparison.passed()) {
    return contestant.options.open_libraries ? "" : lost_precision(got, expected, inputs);
  }
  if (comparison.unwritten == comparison.elements) return kWroteNothing;
  const std::string lost = lost_precision(got, expected, inputs);  // may be the cause
  return fmt::format("{} of {} outputs are wrong on the timed shape (the first at index {}).{}{}",
                     comparison.wrong, comparison.elements, comparison.first.index,
                     lost.empty() ? "" : " ", lost);
}

Comparison TimedJudge::compare_some(std::span<const float> got, std::span<const float> baseline,
                                    std::span<const double> magnitude) const {
  const std::vector<double> expected(baseline.begin(), baseline.end());
  return compare(got, expected, magnitude, tolerance());
}

std::string TimedJudge::lost_precision(std::span<const float> got, std::span<const double> expected,
                                       const std::vector<std::span<const float>>& inputs) const {
  const auto products = stage_.products.find(speed_.op);
  if (products == stage_.products.end()) return "";
  std::array<std::span<const float>, 2> factors;
  for (size_t f = 0; f < factors.size(); ++f) {
    for (size_t i = 0; i < speed_.inputs.size(); ++i) {
      if (speed_.inputs[i].name == products->second[f]) factors[f] = inputs[i];
    }
  }
  const Tolerance one{speed_.terms, stage_.unit_roundoff, stage_.factor};
  const auto ratio =
      precision_ratio(got, expected, magnitude_, {factors[0], factors[1]}, one, true);
  const double most = most_precision_ratio(one);
  if (!ratio || *ratio <= most || *ratio > kMostRoundingRatio) return "";
  return fmt::format(
      "On the timed shape its error is {:.0f} times float32's, and {:g} times is allowed: does it "
      "multiply in TF32 or a shorter format?",
      *ratio, most);
}

}  // namespace convkit
