// SPDX-License-Identifier: MIT
// Known mistakes with alpha and beta: y = alpha * product + beta * what was there.
#include <bit>
#include <cmath>

#include "port_evidence.h"

namespace convkit::stage_06 {
namespace {

// The float that a library reads where a double is stored.
double first_half(double value) {
  return double(std::bit_cast<float>(uint32_t(std::bit_cast<uint64_t>(value))));
}

struct Factors {
  double alpha, beta;
};

// change(factors) is what the library was given. The product follows from the reference.
template <class Change>
Prediction with(const Evidence& evidence, Change change) {
  const Factors right{double(float(real(evidence, "alpha"))),
                      double(float(real(evidence, "beta")))};
  const std::span<const double> result = evidence.reference.f64;
  const auto before = input(evidence, evidence.got.name + "0");
  if (right.alpha == 0 || result.empty()) return std::nullopt;
  if (right.beta != 0 && before.size() != result.size()) return std::nullopt;
  const Factors used = change(right);
  // Without an input, nothing was there.
  if (before.empty() && used.beta != 0) {
    return std::vector<double>(result.size(), predicted_from_unwritten());
  }
  std::vector<double> predicted(result.size());
  for (size_t i = 0; i < predicted.size(); ++i) {
    const double there = before.empty() ? 0.0 : double(before[i]);
    predicted[i] = used.alpha * (result[i] - right.beta * there) / right.alpha + used.beta * there;
  }
  return predicted;
}

#define CONVKIT_USES(...) \
  [](const Evidence& evidence) { return with(evidence, [](Factors f) { return __VA_ARGS__; }); }

constexpr const char* kBlended = "conv2d_blend";
constexpr const char* kGradients = "conv2d_[xwb]grad_cudnn";
constexpr const char* kDouble =
    "alpha and beta are doubles: the library reads floats there, the first half of each double.";
constexpr const char* kDoubleHint =
    "The library takes addresses, so the compiler cannot convert: for float (and half) tensors "
    "alpha and beta are floats, for double tensors doubles.";
constexpr const char* kAlphaIgnored = "alpha is 1 whatever the caller wants.";
constexpr const char* kAlphaIgnoredHint = "Hand on &alpha of the function's argument.";
constexpr const char* kBetaIgnored = "beta is 0 whatever the caller wants: what was there is lost.";
constexpr const char* kBetaIgnoredHint =
    "Hand on &beta of the function's argument: with 0 the output is replaced, with 1 added to.";
constexpr const char* kExchanged = "alpha and beta are exchanged.";
constexpr const char* kExchangedHint =
    "alpha stands before the operands and scales the product; beta stands before the output.";
constexpr const char* kFlag =
    "beta is taken for a flag: wherever it is not 0, the old output is added once (factor 1), and "
    "not beta times.";
constexpr const char* kFlagHint =
    "beta is a factor: hand on &beta of the function's argument. (In stage 05 `accumulate` was a "
    "flag.)";
constexpr const char* kScaled =
    "alpha multiplies the old output, too: it is added alpha * beta times instead of beta times.";
constexpr const char* kScaledHint = "The result is alpha * product + beta * what was there.";
constexpr double kSlack = 8;  // the wrong factors are larger than the right ones

// The bias of its map in every element.
Prediction bias_alone(const Evidence& evidence) {
  const std::span<const float> bias = input(evidence, "b");
  const std::vector<int64_t>& dims = evidence.reference.dims;
  if (bias.empty() || dims.size() != 4 || int64_t(bias.size()) != dims[1]) return std::nullopt;
  std::vector<double> y(evidence.reference.f64.size());
  for (size_t i = 0; i < y.size(); ++i) {
    y[i] = double(bias[i / size_t(dims[2] * dims[3]) % bias.size()]);
  }
  return y;
}

const MistakeModel kBlendMistakes[] = {
    {"bias_replaces", "conv2d_cudnn",
     "Every output holds the bias of its map alone: the bias has replaced the convolution.",
     "cudnnAddTensor computes alpha * b + beta * y: with beta = 0 it replaces y, with 1 it adds.",
     bias_alone},
    {"alpha_as_double", kBlended, kDouble, kDoubleHint,
     CONVKIT_USES(Factors{first_half(f.alpha), first_half(f.beta)}), kSlack},
    {"alpha_as_double", kGradients, kDouble, kDoubleHint,
     CONVKIT_USES(Factors{first_half(f.alpha), first_half(f.beta)}), kSlack},
    {"alpha_as_double", kBlended, kDouble, kDoubleHint,
     CONVKIT_USES(Factors{first_half(f.alpha), f.beta}), kSlack},
    {"alpha_as_double", kGradients, kDouble, kDoubleHint,
     CONVKIT_USES(Factors{first_half(f.alpha), f.beta}), kSlack},
    {"alpha_ignored", kBlended, kAlphaIgnored, kAlphaIgnoredHint,
     CONVKIT_USES(Factors{1.0, f.beta}), kSlack},
    {"alpha_ignored", kGradients, kAlphaIgnored, kAlphaIgnoredHint,
     CONVKIT_USES(Factors{1.0, f.beta}), kSlack},
    // Where beta is 1, stage 05's `accumulate` is the same.
    {"initial_ignored", kGradients, kBetaIgnored, kBetaIgnoredHint,
     CONVKIT_USES(Factors{f.alpha, 0.0}), kSlack},
    {"beta_ignored", kBlended, kBetaIgnored, kBetaIgnoredHint, CONVKIT_USES(Factors{f.alpha, 0.0}),
     kSlack},
    {"beta_as_flag", kBlended, kFlag, kFlagHint,
     CONVKIT_USES(Factors{f.alpha, f.beta != 0 ? 1.0 : 0.0}), kSlack},
    {"beta_as_flag", kGradients, kFlag, kFlagHint,
     CONVKIT_USES(Factors{f.alpha, f.beta != 0 ? 1.0 : 0.0}), kSlack},
    {"beta_scaled", kBlended, kScaled, kScaledHint, CONVKIT_USES(Factors{f.alpha, f.alpha* f.beta}),
     kSlack},
    {"beta_scaled", kGradients, kScaled, kScaledHint,
     CONVKIT_USES(Factors{f.alpha, f.alpha* f.beta}), kSlack},
    {"factors_exchanged", kBlended, kExchanged, kExchangedHint,
     CONVKIT_USES(Factors{f.beta, f.alpha}), kSlack},
    {"factors_exchanged", kGradients, kExchanged, kExchangedHint,
     CONVKIT_USES(Factors{f.beta, f.alpha}), kSlack},
};

const RegisterMistakes kBlendMistakesRegistered(kBlendMistakes);

}  // namespace
}  // namespace convkit::stage_06
