// SPDX-License-Identifier: MIT
// Whether an output has float32's precision: a statistical criterion beside the proven bound, which
// cannot tell (errors cancel, and gamma(n) assumes that none do). docs/precision.md derives it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compare/diagnose.h"

namespace convkit {

// Each output is a sum of products of one element of either factor, and perhaps other terms.
struct Factors {
  std::span<const float> first, second;
};
using FactorNames = std::array<std::string, 2>;  // {"x", "w"}

// The refused outputs have more than kMostPrecisionRatio times the root mean square (rms) that
// float32 allows, pooled over kFewestOutputs or more. A sum of fewer than kFewestTerms terms is
// left to the bound.
inline constexpr double kMostPrecisionRatio = 6;

// The coarsest format of docs/precision.md, bfloat16 with its bits cut, has 74,706 for 4 products.
// What has more is no rounding.
inline constexpr double kMostRoundingRatio = 1e5;
inline constexpr int64_t kFewestOutputs = 1000;
inline constexpr double kFewestTerms = 4;

// sqrt(sum of (got - reference)^2 / sum of v_i), where v_i = (u^2 / 3) (terms + 1) q_i is the
// largest variance that the roundings of a float32 sum add up to, in any order of summation, and
// q_i = sum p^2 over the products of output i, here magnitude_i * (mean p^2 / mean |p|) of the
// factors. An honest float32 sum gives at most about 0.7, inputs rounded to TF32 125 at 4608
// products.
//
// Nothing where the criterion says nothing: fewer outputs or terms than above, another unit
// roundoff than float32's, an output or reference that is not finite, factors without random signs
// (each has 40 to 60 % negative elements, and sums cancel as such do) or without full significands
// (at least 90 % of the elements of each are not exact in TF32).
//
// `reference` may also be another float32 sum, such as the baseline's output where nobody has
// computed doubles: `reference_is_float32` then allows for its error, which at most doubles the
// rms.
std::optional<double> precision_ratio(std::span<const float> got, std::span<const double> reference,
                                      std::span<const double> magnitude, const Factors& factors,
                                      const Tolerance& tolerance,
                                      bool reference_is_float32 = false);

// The largest ratio that passes: kMostPrecisionRatio times the stage's factor.
double most_precision_ratio(const Tolerance& tolerance);

// A format that inputs may have been rounded to.
struct InputFormat {
  const char* name;                              // "TF32"
  float (*rounded)(float value, float largest);  // `largest` magnitude of the tensor
};
std::span<const InputFormat> input_formats();

// How an op that is a sum of products is computed: the model of a correct program, in double, from
// the inputs of the evidence. Stages register theirs beside their mistakes.
struct ProductSum {
  const char* op;  // a shell pattern, as in MistakeModel
  std::optional<std::vector<double>> (*compute)(const Evidence& evidence);
};
struct RegisterProductSums {
  explicit RegisterProductSums(std::span<const ProductSum> sums);
};

// The output of `evidence` as a registered model computes it; its `got` and `reference` need only
// have their names and dims, and its comparison `elements`. Nothing where no model can.
std::optional<std::vector<double>> product_sum(const Evidence& evidence);

// The format of inputs that explains the errors: the op computed from inputs rounded to it (both
// factors, or one) leaves at most a tenth of their rms. Nothing where none does, or where no model
// of the op is registered. Two formats that round these inputs alike are named together.
// "TF32 inputs", "w rounded to bfloat16".
std::optional<std::string> lost_inputs(const Evidence& evidence, const FactorNames& factors);

// "The error is that of TF32 inputs: 340 times float32's ..."; empty where no format fits. For an
// output that the bound refused; the ratio is left out where it cannot be had.
std::string lost_inputs_sentence(const Evidence& evidence, const FactorNames& factors);

// Judges the output of `evidence`, whose inputs named `factors` are multiplied, and which passed
// compare(). Nothing where it has float32's precision or the criterion says nothing.
std::optional<Diagnosis> judge_precision(const Evidence& evidence, const FactorNames& factors);

}  // namespace convkit
