// SPDX-License-Identifier: MIT
#include "compare/precision.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace convkit {
namespace {

constexpr double kFloat32 = 0x1p-24;  // its unit roundoff

struct Moments {
  double sum = 0, squares = 0;  // of magnitudes
  int64_t numbers = 0, negative = 0, full = 0;
  bool finite = true;

  explicit Moments(std::span<const float> values) {
    for (const float value : values) {
      const double size = std::fabs(double(value));
      sum += size;
      squares += size * size;
      numbers += value != 0;
      negative += value < 0;
      full += (std::bit_cast<uint32_t>(value) & 0x1fff) != 0;  // TF32 keeps 10 of 23 bits
      finite = finite && std::isfinite(value);
    }
  }
  // The condition of the derivation: roundings are not special, and products have random signs.
  bool random() const {
    return finite && numbers > 0 && full >= 0.9 * double(numbers) &&
           std::fabs(double(negative) / double(numbers) - 0.5) <= 0.1;
  }
};

// The ratio for any number of outputs.
std::optional<double> measured(std::span<const float> got, std::span<const double> reference,
                               std::span<const double> magnitude, const Factors& factors,
                               const Tolerance& tolerance) {
  if (tolerance.unit_roundoff != kFloat32 || tolerance.terms < kFewestTerms ||
      got.size() != reference.size() || got.size() != magnitude.size()) {
    return std::nullopt;
  }
  const Moments first(factors.first), second(factors.second);
  if (!first.random() || !second.random()) return std::nullopt;
  // E p^2 / E |p| of products of independent elements; n E p^2 is then this times n E |p|.
  const double square_of_size = first.squares / first.sum * (second.squares / second.sum);
  double errors = 0, values = 0, squares = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    const double error = double(got[i]) - reference[i];
    errors += error * error;
    values += reference[i] * reference[i];
    squares += magnitude[i] * square_of_size;
  }
  // Sums of random signs have the mean square of their products' squares.
  if (!std::isfinite(errors) || !(squares > 0) || !(values <= 2 * squares)) return std::nullopt;
  return std::sqrt(errors / (kFloat32 * kFloat32 / 3 * (tolerance.terms + 1) * squares));
}

std::optional<double> measured(const Evidence& evidence, const FactorNames& names) {
  const auto values = [&](const std::string& name) -> std::span<const float> {
    const auto found = std::ranges::find(evidence.inputs, name, &CaseTensor::name);
    return found == evidence.inputs.end() ? std::span<const float>() : found->f32;
  };
  return measured(evidence.got.f32, evidence.reference.f64, evidence.magnitude,
                  {values(names[0]), values(names[1])}, evidence.tolerance);
}

}  // namespace

double most_precision_ratio(const Tolerance& tolerance) {
  return kMostPrecisionRatio * tolerance.factor;
}

std::optional<double> precision_ratio(std::span<const float> got, std::span<const double> reference,
                                      std::span<const double> magnitude, const Factors& factors,
                                      const Tolerance& tolerance, bool reference_is_float32) {
  if (int64_t(got.size()) < kFewestOutputs) return std::nullopt;
  const auto ratio = measured(got, reference, magnitude, factors, tolerance);
  if (!ratio) return std::nullopt;
  return reference_is_float32 ? *ratio / 2 : *ratio;
}

std::string lost_inputs_sentence(const Evidence& evidence, const FactorNames& factors) {
  const auto lost = lost_inputs(evidence, factors);
  if (!lost) return "";
  const auto ratio = measured(evidence, factors);
  return fmt::format("The error is that of {}{}.", *lost,
                     ratio ? fmt::format(": {:.0f} times float32's", *ratio) : "");
}

std::optional<Diagnosis> judge_precision(const Evidence& evidence, const FactorNames& factors) {
  if (int64_t(evidence.got.f32.size()) < kFewestOutputs) return std::nullopt;
  const auto ratio = measured(evidence, factors);
  const double most = most_precision_ratio(evidence.tolerance);
  if (!ratio || *ratio <= most) return std::nullopt;
  const auto lost = lost_inputs(evidence, factors);
  Diagnosis result;
  result.id = "lost_precision";
  result.message = fmt::format(
      "{}: {:.0f} times float32's.\nEach output is within its error bound, but the root "
      "mean square over all {} is not float32's; {:g} times it is allowed.",
      lost ? "The error is that of " + *lost : "The error is not that of float32 sums", *ratio,
      evidence.got.f32.size(), most);
  result.hint =
      "Multiply and add in float32: is there a narrower type on the way, or a mode of a library or "
      "of tensor cores that rounds its inputs?";
  return result;
}

}  // namespace convkit
