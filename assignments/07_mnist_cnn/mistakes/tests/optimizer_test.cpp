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
