// SPDX-License-Identifier: MIT
// Known mistakes in the step of SGD and in the schedule of its learning rate.
#include <cmath>
#include <functional>

#include "network_values.h"

namespace convkit::stage_07 {
namespace {

using Prediction = std::optional<std::vector<double>>;

// --- SGD ---------------------------------------------------------------------------------------

// velocity = momentum * velocity + inside * g; w moves by `step` times that velocity.
struct Momentum {
  double inside, step;
};

// The output that is judged, of an optimizer with these factors.
Prediction stepped(const Evidence& evidence, Momentum factors) {
  const auto w = input(evidence, "w0"), before = input(evidence, "velocity0");
  const auto gradient = input(evidence, "gradient");
  const bool fits = before.size() == w.size() && gradient.size() == w.size();
  if (!fits || w.empty()) return std::nullopt;
  const double momentum = number(evidence, "momentum"), decay = number(evidence, "weight_decay");
  std::vector<double> predicted;
  for (size_t i = 0; i < w.size(); ++i) {
    const double g = gradient[i] + decay * w[i];
    const double velocity = momentum * before[i] + factors.inside * g;
    predicted.push_back(evidence.got.name == "w" ? w[i] + factors.step * velocity : velocity);
  }
  return predicted;
}

Prediction rate_in_velocity(const Evidence& evidence) {
  return stepped(evidence, {number(evidence, "lr"), -1});
}

Prediction step_as_velocity(const Evidence& evidence) {
  return stepped(evidence, {-number(evidence, "lr"), 1});
}

Prediction rate_twice(const Evidence& evidence) {
  const double lr = number(evidence, "lr");
  return stepped(evidence, {lr, -lr});
}

// --- schedules ---------------------------------------------------------------------------------

enum Schedule { kConstant, kSteps, kCosine };

// rate(epoch) in every epoch, where the case asks for this schedule.
Prediction rates(const Evidence& evidence, Schedule schedule,
                 const std::function<double(int64_t)>& rate) {
  if (whole(evidence, "schedule") != schedule) return std::nullopt;
  std::vector<double> predicted;
  for (int64_t epoch = 0; epoch < whole(evidence, "epochs"); ++epoch) {
    predicted.push_back(number(evidence, "lr") * rate(epoch));
  }
  return predicted;
}

Prediction cosine_of_whole_quotient(const Evidence& evidence) {
  return rates(evidence, kCosine, [](int64_t) { return 1.0; });
}

Prediction one_epoch_early(const Evidence& evidence) {
  const int64_t length = whole(evidence, "step_epochs");
  if (length < 1) return std::nullopt;
  return rates(evidence, kSteps, [&](int64_t epoch) {
    return std::pow(number(evidence, "step_factor"), double((epoch + 1) / length));
  });
}

Prediction quotient_not_whole(const Evidence& evidence) {
  const double length = number(evidence, "step_epochs");
  if (length < 1) return std::nullopt;
  return rates(evidence, kSteps, [&](int64_t epoch) {
    return std::pow(number(evidence, "step_factor"), double(epoch) / length);
  });
}

// --- what students read ------------------------------------------------------------------------

constexpr const char* kStep = "sgd_step";
constexpr const char* kStepHint =
    "velocity = momentum * velocity + g, and w = w - lr * velocity: the velocity does not know the "
    "learning rate, so a rate that changes applies to all of it at once.";
constexpr const char* kRates = "learning_rate";
constexpr const char* kCosineHint =
    "In C++ the quotient of two ints is rounded towards 0: convert one of them, double(epoch) / "
    "epochs, or multiply by a floating-point number first. If the schedules are told apart by a "
    "switch, look at its cases, too.";
constexpr const char* kStepsHint =
    "Epochs count from 0: lr * step_factor^(epoch / step_epochs), whole division, is lr in the "
    "first step_epochs epochs.";

// A schedule has few epochs, and in most of them a step gives the right rate.
constexpr int64_t kFewEpochs = 2;

const MistakeModel kOptimizerMistakes[] = {
    {"rate_in_velocity", kStep,
     "The learning rate is inside the velocity, which becomes momentum * velocity + lr * g; it "
     "belongs to the step of the weights alone.",
     kStepHint, rate_in_velocity},
    {"rate_in_velocity", kStep,
     "The learning rate is inside the velocity, which becomes momentum * velocity - lr * g and is "
     "added to the weights; it belongs to the step of the weights alone, which subtracts.",
     kStepHint, step_as_velocity},
    {"rate_in_velocity", kStep,
     "The learning rate is applied twice to the gradient: inside the velocity, momentum * velocity "
     "+ lr * g, and again in the step of the weights.",
     kStepHint, rate_twice},

    {"cosine_is_constant", kRates,
     "With the cosine schedule the rate is lr in every epoch: either epoch / epochs is a division "
     "of integers, which is 0, or the schedule is taken for the constant one.",
     kCosineHint, cosine_of_whole_quotient, 1, kFewEpochs},
    {"schedule_one_early", kRates,
     "The rate falls one epoch too early: epochs are counted from 1, (epoch + 1) / step_epochs.",
     kStepsHint, one_epoch_early, 1, kFewEpochs},
    {"schedule_not_whole", kRates,
     "The rate falls in every epoch: epoch / step_epochs is not rounded down to a whole number.",
     kStepsHint, quotient_not_whole, 1, kFewEpochs},
};

const RegisterMistakes kOptimizerMistakesRegistered(kOptimizerMistakes);

}  // namespace
}  // namespace convkit::stage_07
