// SPDX-License-Identifier: MIT
// Steps of SGD and schedules that follow another rule, in cases of the test's own.
#include <cmath>

#include "catch.h"
#include "compare/tests/made_case.h"

namespace convkit {
namespace {

constexpr int kSize = 40;
constexpr float kRate = 0.25f, kMomentum = 0.5f;

struct Step {
  std::vector<float> w, velocity, gradient;
};

Step drawn_step() {
  std::mt19937 random(12);
  return {normal_values(random, kSize), normal_values(random, kSize), normal_values(random, kSize)};
}

// The output of which result(w, velocity, gradient) is an element.
template <class Result>
MadeCase step_case(const char* output, Result result) {
  const Step step = drawn_step();
  MadeCase made;
  made.op = "sgd_step";
  made.output = output;
  made.dims = {kSize};
  made.terms = 8;
  made.params = {
      {"size", kSize}, {"lr", double(kRate)}, {"momentum", double(kMomentum)}, {"weight_decay", 0}};
  for (size_t i = 0; i < kSize; ++i) {
    made.reference.push_back(double(result(step.w[i], step.velocity[i], step.gradient[i])));
    made.magnitude.push_back(4);
  }
  made.inputs = {{"w0", step.w}, {"velocity0", step.velocity}, {"gradient", step.gradient}};
  return made;
}

template <class Result>
std::vector<float> computed(Result result) {
  const Step step = drawn_step();
  std::vector<float> values;
  for (size_t i = 0; i < kSize; ++i) {
    values.push_back(result(step.w[i], step.velocity[i], step.gradient[i]));
  }
  return values;
}

float velocity_of(float, float v, float g) {
  return kMomentum * v + g;
}
float weight_of(float w, float v, float g) {
  return w - kRate * velocity_of(w, v, g);
}

MadeCase rates_case(int schedule, int epochs, int step_epochs) {
  MadeCase made;
  made.op = "learning_rate";
  made.output = "rates";
  made.dims = {epochs};
  made.terms = 8;
  made.params = {{"epochs", epochs},
                 {"schedule", schedule},
                 {"lr", 0.5},
                 {"step_epochs", step_epochs},
                 {"step_factor", 0.25}};
  for (int epoch = 0; epoch < epochs; ++epoch) {
    const double falls = schedule == 1 ? std::pow(0.25, epoch / step_epochs)
                                       : (1 + std::cos(3.141592653589793 * epoch / epochs)) / 2;
    made.reference.push_back(0.5 * falls);
    made.magnitude.push_back(0.5);
  }
  return made;
}

Diagnosis told(const MadeCase& made, const std::vector<float>& got) {
  return diagnose(made.evidence(got));
}

}  // namespace

TEST_CASE("a learning rate inside the velocity is named, from the velocity and from the weights") {
  const MadeCase velocity = step_case("velocity", velocity_of), w = step_case("w", weight_of);
  const auto inside = [](float, float v, float g) { return kMomentum * v + kRate * g; };
  CHECK(told(velocity, computed(inside)).id == "rate_in_velocity");
  const auto moved = [&](float weight, float v, float g) { return weight - inside(weight, v, g); };
  CHECK(told(w, computed(moved)).id == "rate_in_velocity");

  const auto negative = [](float, float v, float g) { return kMomentum * v - kRate * g; };
  const auto added = [&](float weight, float v, float g) {
    return weight + negative(weight, v, g);
  };
  for (const auto& diagnosis : {told(velocity, computed(negative)), told(w, computed(added))}) {
    CHECK_THAT(diagnosis.message, Catch::Contains("momentum * velocity - lr * g"));
  }
  const auto twice = [&](float weight, float v, float g) {
    return weight - kRate * inside(weight, v, g);
  };
  CHECK_THAT(told(w, computed(twice)).message, Catch::Contains("applied twice"));
}

TEST_CASE("a step without a mistake in the velocity is not accused of one") {
  const MadeCase w = step_case("w", weight_of);
  const auto no_momentum = [](float weight, float, float g) { return weight - kRate * g; };
  CHECK(told(w, computed(no_momentum)).id != "rate_in_velocity");
}

TEST_CASE("where the weight decay of SGD stands is told by the velocity") {
  constexpr float kDecay = 0.125f;
  const auto decayed = [](float w, float v, float g) { return kMomentum * v + g + kDecay * w; };
  MadeCase made = step_case("velocity", decayed);
  made.params["weight_decay"] = double(kDecay);
  const auto named = [&](auto result) { return told(made, computed(result)).id; };
  // Missing, or decoupled: only whether the weights are right tells which.
  CHECK(named(velocity_of).empty());
  CHECK(named([](float w, float v, float g) { return kMomentum * v + g + kRate * kDecay * w; }) ==
        "rate_in_decay_of_sgd");
  CHECK(named([](float w, float v, float g) { return kMomentum * v + g + 2 * kDecay * w; }) ==
        "twice_the_decay_of_sgd");
  MadeCase w =
      step_case("w", [&](float one, float v, float g) { return one - kRate * decayed(one, v, g); });
  w.params["weight_decay"] = double(kDecay);
  CHECK(told(w, computed(weight_of)).id == "no_decay_of_sgd");
}

// Another of Adam's steps, in double.
struct AdamStep {
  double decay = 0.25, outside = 0, beta = 0.999, t = 3, epsilon = 1e-8;
  double operator()(double w, double m, double v, double g) const {
    g += decay * w;
    m = 0.9 * m + 0.1 * g;
    v = beta * v + (1 - beta) * g * g;
    const double root = std::sqrt(v / (1 - std::pow(beta, t))) + epsilon;
    return w - 0.5 * m / (1 - std::pow(0.9, t)) / root - outside * w;
  }
};

TEST_CASE("AdamW and other steps than Adam's are told from the weights") {
  const Step step = drawn_step();
  std::vector<float> v;
  for (const float one : step.velocity) v.push_back(one * one);
  const auto weights = [&](const AdamStep& rule) {
    std::vector<double> w;
    for (size_t i = 0; i < kSize; ++i) {
      w.push_back(rule(double(step.w[i]), double(step.velocity[i]), double(v[i]),
                       double(step.gradient[i])));
    }
    return w;
  };
  MadeCase made;
  made.op = "adam_step";
  made.output = "w";
  made.dims = {kSize};
  made.terms = 8;
  made.params = {{"size", kSize}, {"lr", 0.5}, {"weight_decay", 0.25}, {"step", 2}};
  made.reference = weights({});
  made.magnitude.assign(kSize, 4);
  made.inputs = {{"w0", step.w}, {"m0", step.velocity}, {"v0", v}, {"gradient", step.gradient}};
  const auto named = [&](const AdamStep& rule) {
    const std::vector<double> w = weights(rule);
    return told(made, {w.begin(), w.end()}).id;
  };
  CHECK(named({.decay = 0, .outside = 0.125}) == "decoupled_decay_of_adam");
  CHECK(named({.decay = 0, .outside = 0.25}) == "decoupled_decay_of_adam");
  CHECK(named({.decay = 0}) == "no_decay_of_adam");
  CHECK(named({.outside = 0.125}) == "decay_twice_of_adam");
  CHECK(named({.beta = 0.99}) == "other_beta");
  CHECK(named({.t = 4}) == "corrections_one_late");
  CHECK(named({.t = 9}) == "corrections_of_calls");
  CHECK(named({.t = 1}) == "corrections_of_first_step");
  CHECK(named({.t = 9.5}).empty());
  CHECK(named({.outside = 0.01}) != "decoupled_decay_of_adam");
}

TEST_CASE("a cosine of a whole quotient is constant") {
  const MadeCase made = rates_case(2, 12, 1);
  const Diagnosis diagnosis = told(made, std::vector<float>(12, 0.5f));
  CHECK(diagnosis.id == "cosine_is_constant");
  CHECK_THAT(diagnosis.message, Catch::Contains("division of integers"));
  CHECK(told(made, std::vector<float>(12, 0.25f)).id != "cosine_is_constant");
}

TEST_CASE("a rate that falls one epoch early, or in every epoch, is named") {
  const MadeCase made = rates_case(1, 10, 3);
  std::vector<float> early, always;
  for (int epoch = 0; epoch < 10; ++epoch) {
    early.push_back(float(0.5 * std::pow(0.25, (epoch + 1) / 3)));
    always.push_back(float(0.5 * std::pow(0.25, epoch / 3.0)));
  }
  CHECK(told(made, early).id == "schedule_one_early");
  CHECK(told(made, always).id == "schedule_not_whole");
}

}  // namespace convkit
