// SPDX-License-Identifier: MIT
// Known mistakes in the steps of SGD and of Adam, and in the schedule of the learning rate.
#include <cmath>
#include <functional>
#include <utility>

#include "compare/agreement.h"
#include "network_values.h"

namespace convkit::stage_07 {
namespace {

using Prediction = std::optional<std::vector<double>>;

// --- steps of SGD and of Adam ------------------------------------------------------------------

// SGD as it stands is right; a mistake changes one thing.
struct Sgd {
  explicit Sgd(const Evidence& evidence)
      : rate(number(evidence, "lr")),
        decay(number(evidence, "weight_decay")),
        keeps(number(evidence, "momentum")),
        decay_in_gradient(decay),
        step(rate) {}

  double rate, decay;
  // velocity = keeps * velocity + inside * (gradient + decay_in_gradient * w)
  double keeps, inside = 1, decay_in_gradient;
  // w -= step * (of_velocity * velocity + of_gradient * (the same gradient)) + decay_of_weight * w
  double step, of_velocity = 1, of_gradient = 0, decay_of_weight = 0;
};

Prediction stepped(const Evidence& evidence, const Sgd& rule) {
  const auto w = input(evidence, "w0"), before = input(evidence, "velocity0");
  const auto gradient = input(evidence, "gradient");
  const bool fits = before.size() == w.size() && gradient.size() == w.size();
  if (!fits || w.empty()) return std::nullopt;
  std::vector<double> predicted;
  for (size_t i = 0; i < w.size(); ++i) {
    const double g = gradient[i] + rule.decay_in_gradient * w[i];
    const double velocity = rule.keeps * before[i] + rule.inside * g;
    const double by = rule.step * (rule.of_velocity * velocity + rule.of_gradient * g);
    predicted.push_back(evidence.got.name == "w" ? w[i] - by - rule.decay_of_weight * w[i]
                                                 : velocity);
  }
  return predicted;
}

// The same of Adam.
struct Adam {
  explicit Adam(const Evidence& evidence)
      : rate(number(evidence, "lr")),
        decay(number(evidence, "weight_decay")),
        t_of_m(double(whole(evidence, "step") + 1)),
        t_of_v(t_of_m),
        decay_in_m(decay),
        decay_in_v(decay) {}

  double rate, decay;
  double beta_of_m = 0.9, beta_of_v = 0.999;  // that the moments keep
  double corrected_by_m = beta_of_m, corrected_by_v = beta_of_v;
  double t_of_m, t_of_v;                               // 0: not corrected
  double decay_in_m, decay_in_v, decay_of_weight = 0;  // as above
  double epsilon = 1e-8;
  enum class Root { of_corrected, and_epsilon, then_corrected, then_epsilon_corrected } root = {};
  bool steps_by_old = false, looks_ahead = false;
};

double correction(double beta, double t) {
  return t > 0 ? 1 - std::pow(beta, t) : 1;
}

double divisor_of(const Adam& rule, double v) {
  const double by = correction(rule.corrected_by_v, rule.t_of_v);
  switch (rule.root) {
    case Adam::Root::and_epsilon:
      return std::sqrt(v / by + rule.epsilon);
    case Adam::Root::then_corrected:
      return std::sqrt(v) / by + rule.epsilon;
    case Adam::Root::then_epsilon_corrected:
      return (std::sqrt(v) + rule.epsilon) / std::sqrt(by);
    default:
      return std::sqrt(v / by) + rule.epsilon;
  }
}

Prediction stepped(const Evidence& evidence, const Adam& rule) {
  const auto w = input(evidence, "w0"), gradient = input(evidence, "gradient");
  const auto m0 = input(evidence, "m0"), v0 = input(evidence, "v0");
  const bool fits = gradient.size() == w.size() && m0.size() == w.size() && v0.size() == w.size();
  if (!fits || w.empty()) return std::nullopt;
  std::vector<double> predicted;
  for (size_t i = 0; i < w.size(); ++i) {
    const double g = gradient[i] + rule.decay_in_m * w[i];
    const double of_v = gradient[i] + rule.decay_in_v * w[i];
    const double m = rule.beta_of_m * m0[i] + (1 - rule.beta_of_m) * g;
    const double v = rule.beta_of_v * v0[i] + (1 - rule.beta_of_v) * of_v * of_v;
    const double moves = rule.steps_by_old  ? m0[i]
                         : rule.looks_ahead ? rule.beta_of_m * m + (1 - rule.beta_of_m) * g
                                            : m;
    const double by = rule.rate * moves / correction(rule.corrected_by_m, rule.t_of_m) /
                      divisor_of(rule, rule.steps_by_old ? v0[i] : v);
    predicted.push_back(evidence.got.name == "w"   ? w[i] - by - rule.decay_of_weight * w[i]
                        : evidence.got.name == "m" ? m
                                                   : v);
  }
  return predicted;
}

// The corrections of a step that the case has nothing to do with, as where t counts the calls: the
// first t that gives what was got; 0 if none does.
int t_of_corrections(const Evidence& evidence) {
  const auto got = evidence.got.f32;
  if (evidence.got.name != "w" || got.empty()) return 0;
  Adam rule(evidence);
  const double right = rule.t_of_m;
  const Agreement agreement(evidence);
  constexpr int kMostCalls = 64;
  for (int t = 1; t <= kMostCalls; ++t) {
    rule.t_of_m = rule.t_of_v = t;
    const Prediction predicted = t == right ? std::nullopt : stepped(evidence, rule);
    if (!predicted || predicted->size() != got.size()) continue;
    bool fits = true;
    for (size_t i = 0; i < got.size() && fits; ++i) fits = agreement.agrees(i, (*predicted)[i]);
    if (fits) return t;
  }
  return 0;
}

Prediction of_another_step(const Evidence& evidence) {
  Adam rule(evidence);
  rule.t_of_m = rule.t_of_v = t_of_corrections(evidence);
  return rule.t_of_m > 0 ? stepped(evidence, rule) : std::nullopt;
}

bool is_next_or_first_step(const Evidence& evidence) {
  const int t = t_of_corrections(evidence);
  return t == 1 || t == Adam(evidence).t_of_m + 1;
}

template <class Rule, class Change>
Prediction changed(const Evidence& evidence, Change change) {
  Rule rule(evidence);
  change(rule);
  return stepped(evidence, rule);
}

#define CONVKIT_SGD(change) \
  [](const Evidence& evidence) { return changed<Sgd>(evidence, [](Sgd& s) { change; }); }
#define CONVKIT_ADAM(change) \
  [](const Evidence& evidence) { return changed<Adam>(evidence, [](Adam& a) { change; }); }

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

constexpr const char* kSgd = "sgd_step";
constexpr const char* kSgdStepHint =
    "velocity = momentum * velocity + g, and w = w - lr * velocity: the velocity does not know the "
    "learning rate, so a rate that changes applies to all of it at once.";
constexpr const char* kDecayOfSgdHint =
    "g = gradient + weight_decay * w, then velocity = momentum * velocity + g, and w = w - lr * "
    "velocity.";
constexpr const char* kAdam = "adam_step";
constexpr const char* kDecayOfAdamHint =
    "g = gradient + weight_decay * w, and m, v and the step know g alone. (AdamW is another "
    "optimizer.)";
constexpr const char* kAdamStepHint =
    "w = w - lr * m' / (sqrt(v') + 1e-8) with m' = m / (1 - 0.9^t), v' = v / (1 - 0.999^t), t = "
    "step + 1; what is stored is m and v.";
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
    {"rate_in_velocity", kSgd,
     "The learning rate is inside the velocity, which becomes momentum * velocity + lr * g; it "
     "belongs to the step of the weights alone.",
     kSgdStepHint, CONVKIT_SGD((s.inside = s.rate, s.step = 1))},
    {"rate_in_velocity", kSgd,
     "The learning rate is inside the velocity, which becomes momentum * velocity - lr * g and is "
     "added to the weights; it belongs to the step of the weights alone, which subtracts.",
     kSgdStepHint, CONVKIT_SGD((s.inside = -s.rate, s.step = -1))},
    {"rate_in_velocity", kSgd,
     "The learning rate is applied twice to the gradient: inside the velocity, momentum * velocity "
     "+ lr * g, and again in the step of the weights.",
     kSgdStepHint, CONVKIT_SGD(s.inside = s.rate)},
    {"momentum_of_all", kSgd,
     "The momentum multiplies the gradient, too: momentum * (velocity + g) instead of momentum * "
     "velocity + g.",
     kSgdStepHint, CONVKIT_SGD(s.inside = s.keeps)},
    {"momentum_as_mean", kSgd,
     "The gradient is multiplied by 1 - momentum, as in a running mean; here velocity = momentum * "
     "velocity + g.",
     kSgdStepHint, CONVKIT_SGD(s.inside = 1 - s.keeps)},
    {"momentum_of_nesterov", kSgd,
     "The weights move by lr * (g + momentum * velocity) with the new velocity: that is Nesterov's "
     "momentum. Here they move by lr * velocity.",
     kSgdStepHint, CONVKIT_SGD((s.of_velocity = s.keeps, s.of_gradient = 1))},
    {"no_decay_of_sgd", kSgd,
     "The weight decay is missing: neither the gradient nor the step of the weights has it.",
     kDecayOfSgdHint, CONVKIT_SGD(s.decay_in_gradient = 0)},
    {"decoupled_decay_of_sgd", kSgd,
     "The weight decay is decoupled: w - lr * (velocity + weight_decay * w). The velocity does not "
     "contain it; here it is part of the gradient, which the velocity adds up.",
     kDecayOfSgdHint, CONVKIT_SGD((s.decay_in_gradient = 0, s.decay_of_weight = s.rate * s.decay))},
    {"decoupled_decay_of_sgd", kSgd,
     "The weight decay is subtracted from the weights without the learning rate, as weight_decay * "
     "w (decoupled); it belongs to the gradient, which the rate multiplies.",
     kDecayOfSgdHint, CONVKIT_SGD((s.decay_in_gradient = 0, s.decay_of_weight = s.decay))},
    {"decay_twice_of_sgd", kSgd,
     "The weight decay is applied twice: in the gradient, and once more in the step of the "
     "weights, lr * weight_decay * w.",
     kDecayOfSgdHint, CONVKIT_SGD(s.decay_of_weight = s.rate * s.decay)},
    {"rate_in_decay_of_sgd", kSgd,
     "In the gradient the weight decay is multiplied by the learning rate, lr * weight_decay * w; "
     "the rate belongs to the step of the weights.",
     kDecayOfSgdHint, CONVKIT_SGD(s.decay_in_gradient = s.rate * s.decay)},
    {"twice_the_decay_of_sgd", kSgd,
     "The gradient gets 2 * weight_decay * w; weight_decay * w belongs there.", kDecayOfSgdHint,
     CONVKIT_SGD(s.decay_in_gradient = 2 * s.decay)},

    {"no_decay_of_adam", kAdam,
     "The weight decay is missing: neither the gradient nor the step of the weights has it.",
     kDecayOfAdamHint, CONVKIT_ADAM(a.decay_in_m = a.decay_in_v = 0)},
    {"decoupled_decay_of_adam", kAdam,
     "The weight decay is decoupled, as in AdamW: lr * weight_decay * w is subtracted from the "
     "weights, and m and v do not know of it. Here it is part of the gradient.",
     kDecayOfAdamHint,
     CONVKIT_ADAM((a.decay_in_m = a.decay_in_v = 0, a.decay_of_weight = a.rate * a.decay))},
    {"decoupled_decay_of_adam", kAdam,
     "The weight decay is decoupled, as in AdamW, and not scaled by the rate: weight_decay * w is "
     "subtracted from the weights, and m and v do not know of it. Here it is part of the gradient.",
     kDecayOfAdamHint,
     CONVKIT_ADAM((a.decay_in_m = a.decay_in_v = 0, a.decay_of_weight = a.decay))},
    {"decay_twice_of_adam", kAdam,
     "The weight decay is applied twice: in the gradient, and once more in the step of the "
     "weights, lr * weight_decay * w.",
     kDecayOfAdamHint, CONVKIT_ADAM(a.decay_of_weight = a.rate * a.decay)},
    {"rate_in_decay_of_adam", kAdam,
     "In the gradient the weight decay is multiplied by the learning rate, lr * weight_decay * w; "
     "the rate belongs to the step of the weights.",
     kDecayOfAdamHint, CONVKIT_ADAM(a.decay_in_m = a.decay_in_v = a.rate * a.decay)},
    {"twice_the_decay_of_adam", kAdam,
     "The gradient gets 2 * weight_decay * w; weight_decay * w belongs there.", kDecayOfAdamHint,
     CONVKIT_ADAM(a.decay_in_m = a.decay_in_v = 2 * a.decay)},
    {"decay_in_one_moment", kAdam,
     "m gets the gradient with the weight decay, and v the one without it: both get the same g.",
     kDecayOfAdamHint, CONVKIT_ADAM(a.decay_in_v = 0)},
    {"decay_in_one_moment", kAdam,
     "v gets the gradient with the weight decay, and m the one without it: both get the same g.",
     kDecayOfAdamHint, CONVKIT_ADAM(a.decay_in_m = 0)},
    {"moments_not_corrected", kAdam,
     "The step takes m and v as they are: neither is divided by its correction, 1 - 0.9^t and 1 - "
     "0.999^t.",
     kAdamStepHint, CONVKIT_ADAM(a.t_of_m = a.t_of_v = 0)},
    {"only_m_corrected", kAdam, "v is not divided by its correction, 1 - 0.999^t.", kAdamStepHint,
     CONVKIT_ADAM(a.t_of_v = 0)},
    {"only_v_corrected", kAdam, "m is not divided by its correction, 1 - 0.9^t.", kAdamStepHint,
     CONVKIT_ADAM(a.t_of_m = 0)},
    {"corrections_exchanged", kAdam,
     "The corrections are exchanged: m is divided by 1 - 0.999^t and v by 1 - 0.9^t.",
     kAdamStepHint, CONVKIT_ADAM(std::swap(a.corrected_by_m, a.corrected_by_v))},
    {"corrections_alike", kAdam, "v is divided by 1 - 0.9^t, as m is, instead of 1 - 0.999^t.",
     kAdamStepHint, CONVKIT_ADAM(a.corrected_by_v = a.corrected_by_m)},
    {"corrections_alike", kAdam, "m is divided by 1 - 0.999^t, as v is, instead of 1 - 0.9^t.",
     kAdamStepHint, CONVKIT_ADAM(a.corrected_by_m = a.corrected_by_v)},
    {"corrections_of_first_step", kAdam,
     "The corrections are those of the first step, 1 - 0.9 and 1 - 0.999, in every step: the power "
     "t is missing.",
     kAdamStepHint, CONVKIT_ADAM(a.t_of_m = a.t_of_v = 1)},
    {"corrections_one_late", kAdam,
     "The corrections are those of the next step: t = step + 2 instead of step + 1.", kAdamStepHint,
     CONVKIT_ADAM((++a.t_of_m, ++a.t_of_v))},
    {.id = "corrections_of_calls",
     .op = kAdam,
     .sentence =
         "The corrections 1 - 0.9^t and 1 - 0.999^t are those of another t, a small one, not of t "
         "= step + 1. Probably t (or 0.9^t) is kept from call to call and counts the calls.",
     .hint = "Compute t from the argument `step` in every call. A static variable goes on counting "
             "over all trainings of the process, and a training that is continued does not begin "
             "with t = 1.",
     .predict = of_another_step,
     .may_be_plainer = is_next_or_first_step},
    {"correction_behind_root", kAdam,
     "The root of v is divided by 1 - 0.999^t: the correction belongs under the root.",
     kAdamStepHint, CONVKIT_ADAM(a.root = Adam::Root::then_corrected)},
    {"betas_exchanged", kAdam,
     "0.9 and 0.999 are exchanged: m keeps 0.999 of itself, and v 0.9; both corrections, too.",
     kAdamStepHint,
     CONVKIT_ADAM(
         (std::swap(a.beta_of_m, a.beta_of_v), std::swap(a.corrected_by_m, a.corrected_by_v)))},
    {"betas_exchanged", kAdam,
     "0.9 and 0.999 are exchanged in the moments: m keeps 0.999 of itself, and v 0.9.",
     kAdamStepHint, CONVKIT_ADAM(std::swap(a.beta_of_m, a.beta_of_v))},
    {"other_beta", kAdam, "v keeps 0.99 of itself instead of 0.999.", kAdamStepHint,
     CONVKIT_ADAM(a.beta_of_v = a.corrected_by_v = 0.99)},
    {"other_beta", kAdam, "m keeps 0.99 of itself instead of 0.9.", kAdamStepHint,
     CONVKIT_ADAM(a.beta_of_m = a.corrected_by_m = 0.99)},
    {"step_by_old_moments", kAdam,
     "The weights move by m and v as they were before this step: both are updated first.",
     kAdamStepHint, CONVKIT_ADAM(a.steps_by_old = true)},
    {"adam_of_nesterov", kAdam,
     "The weights move by 0.9 * m + 0.1 * g with the new m, as in Nadam; here they move by m.",
     kAdamStepHint, CONVKIT_ADAM(a.looks_ahead = true)},
    {"epsilon_under_root", kAdam,
     "1e-8 is added under the root, sqrt(v' + 1e-8); it belongs behind it.", kAdamStepHint,
     CONVKIT_ADAM(a.root = Adam::Root::and_epsilon)},
    {"epsilon_corrected", kAdam,
     "1e-8 is added to the root of v before the correction, which then divides it, too; it is "
     "added to the root of the corrected v'.",
     kAdamStepHint, CONVKIT_ADAM(a.root = Adam::Root::then_epsilon_corrected)},
    {"other_epsilon", kAdam, "1e-7 is added to the root instead of 1e-8.", kAdamStepHint,
     CONVKIT_ADAM(a.epsilon = 1e-7)},
    {"other_epsilon", kAdam, "1e-6 is added to the root instead of 1e-8.", kAdamStepHint,
     CONVKIT_ADAM(a.epsilon = 1e-6)},
    {"other_epsilon", kAdam, "1e-5 is added to the root instead of 1e-8.", kAdamStepHint,
     CONVKIT_ADAM(a.epsilon = 1e-5)},
    {"other_epsilon", kAdam, "Nothing is added to the root: 1e-8 is missing.", kAdamStepHint,
     CONVKIT_ADAM(a.epsilon = 0)},

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
