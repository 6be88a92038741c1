// SPDX-License-Identifier: MIT
// Known mistakes in the activations: each is a function of one element.
#include <cmath>
#include <limits>

#include "case_reader.h"

namespace convkit::stage_01 {
namespace {

// Above this expf overflows to infinity.
constexpr double kExpOverflows = 88.7228;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Rounding near the limit decides on which side an element falls.
bool is_near(double value, double limit) {
  return std::fabs(value - limit) < 1e-3;
}

template <class Function>
Prediction elementwise(const Evidence& evidence, Function function) {
  const auto x = input(evidence, "x");
  if (int64_t(x.size()) != evidence.comparison.elements) return std::nullopt;
  std::vector<double> y;
  y.reserve(x.size());
  for (size_t i = 0; i < x.size(); ++i) y.push_back(function(i, double(x[i])));
  return y;
}

// The expected value, but NaN where `overflows` says so.
template <class Overflows>
Prediction overflowing(const Evidence& evidence, double limit, Overflows exponent) {
  return elementwise(evidence, [&](size_t i, double x) {
    if (is_near(exponent(x), limit)) return predicted_anything();
    // Small values lose digits in these formulas, too; only the overflow is modelled.
    if (std::fabs(x) < 1) return predicted_anything();
    return exponent(x) > limit ? kNaN : evidence.reference.f64[i];
  });
}

Prediction identity(const Evidence& evidence) {
  return elementwise(evidence, [](size_t, double x) { return x; });
}

Prediction relu(const Evidence& evidence) {
  return elementwise(evidence, [](size_t, double x) { return x < 0 ? 0 : x; });
}

Prediction relu_without_nan(const Evidence& evidence) {
  return elementwise(evidence, [](size_t, double x) { return x > 0 ? x : 0; });
}

Prediction leaky_relu_without_nan(const Evidence& evidence) {
  return elementwise(
      evidence, [&](size_t i, double x) { return std::isnan(x) ? 0 : evidence.reference.f64[i]; });
}

Prediction leaky_on_positive(const Evidence& evidence) {
  const double slope = parameter(evidence, "slope");
  return elementwise(evidence, [=](size_t, double x) { return x > 0 ? slope * x : x; });
}

Prediction slope_without_x(const Evidence& evidence) {
  const double slope = parameter(evidence, "slope");
  return elementwise(evidence, [=](size_t, double x) { return x < 0 ? slope : x; });
}

Prediction absolute(const Evidence& evidence) {
  return elementwise(evidence, [](size_t, double x) { return std::fabs(x); });
}

Prediction sigmoid_of_minus_x(const Evidence& evidence) {
  return elementwise(evidence, [](size_t, double x) { return 1 / (1 + std::exp(x)); });
}

Prediction overflowing_sigmoid(const Evidence& evidence) {
  return overflowing(evidence, kExpOverflows, [](double x) { return x; });
}

Prediction overflowing_tanh(const Evidence& evidence) {
  return overflowing(evidence, kExpOverflows, [](double x) { return 2 * x; });
}

Prediction overflowing_tanh_of_minus_x(const Evidence& evidence) {
  return overflowing(evidence, kExpOverflows, [](double x) { return -2 * x; });
}

Prediction overflowing_tanh_both_sides(const Evidence& evidence) {
  return overflowing(evidence, kExpOverflows, [](double x) { return std::fabs(x); });
}

constexpr double kActivationRounding = 64;
// NaN and very large inputs are rare, and what they lead to cannot be taken for rounding.
constexpr int64_t kFewInputs = 1;

const MistakeModel kActivationMistakes[] = {
    {"leaky_as_relu", "leaky_relu_forward",
     "The slope is not applied: negative inputs give 0, as in plain ReLU.",
     "leaky_relu(x) is x for x >= 0 and slope * x for x < 0.", relu},
    {"leaky_on_positive", "leaky_relu_forward",
     "The slope is applied to the positive inputs instead of the negative ones.",
     "leaky_relu(x) is x for x >= 0 and slope * x for x < 0.", leaky_on_positive},
    {"leaky_on_positive", "leaky_relu_forward",
     "Negative inputs give the slope itself instead of slope * x.",
     "leaky_relu(x) is x for x >= 0 and slope * x for x < 0.", slope_without_x},
    {"nan_lost", "relu_forward", "NaN does not come through: relu(NaN) must be NaN and is 0.",
     "Every comparison with NaN is false: ask x < 0 ? 0 : x instead of x > 0 ? x : 0.",
     relu_without_nan, 1, kFewInputs},
    {"nan_lost", "leaky_relu_forward",
     "NaN does not come through: leaky_relu(NaN) must be NaN and is 0.",
     "Every comparison with NaN is false: decide which branch NaN takes.", leaky_relu_without_nan,
     1, 1},
    {"activation_not_applied", "*relu_forward", "The input is copied unchanged.",
     "ReLU replaces negative values by 0.", identity},
    {"absolute_value", "relu_forward", "Negative inputs give their absolute value instead of 0.",
     "relu(x) is max(x, 0).", absolute},
    {"sigmoid_of_minus_x", "sigmoid_forward",
     "The sign in the exponent is wrong: 1 / (1 + exp(x)) is computed.",
     "sigmoid(x) is 1 / (1 + exp(-x)).", sigmoid_of_minus_x, kActivationRounding},
    {"activation_overflow", "sigmoid_forward",
     "The exponential overflows: exp(x) / (1 + exp(x)) is inf / inf = NaN for x > 88.",
     "1 / (1 + exp(-x)) is the same function and does not overflow to NaN.", overflowing_sigmoid,
     kActivationRounding, kFewInputs},
    {"activation_overflow", "tanh_forward",
     "The exponential overflows: (exp(2x) - 1) / (exp(2x) + 1) is inf / inf = NaN for x > 44.",
     "std::tanh takes any x; a formula of your own needs an exponent that is never positive.",
     overflowing_tanh, kActivationRounding, kFewInputs},
    {"activation_overflow", "tanh_forward",
     "The exponential overflows: (1 - exp(-2x)) / (1 + exp(-2x)) is NaN for x < -44.",
     "std::tanh takes any x; a formula of your own needs an exponent that is never positive.",
     overflowing_tanh_of_minus_x, kActivationRounding, kFewInputs},
    {"activation_overflow", "tanh_forward",
     "The exponential overflows: (exp(x) - exp(-x)) / (exp(x) + exp(-x)) is NaN for |x| > 88.",
     "std::tanh takes any x; a formula of your own needs an exponent that is never positive.",
     overflowing_tanh_both_sides, kActivationRounding, kFewInputs},
};

const RegisterMistakes kActivationMistakesRegistered(kActivationMistakes);

}  // namespace
}  // namespace convkit::stage_01
