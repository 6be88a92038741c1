// SPDX-License-Identifier: MIT
// Which narrower format explains the errors of an output: models, and nothing that does not fit.
#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "compare/precision.h"

namespace convkit {
namespace {

// To nearest, ties to even, with `kept` of the 23 stored bits of the significand.
template <int kept>
float nearest(float value, float) {
  constexpr uint32_t last = 1u << (23 - kept);
  uint32_t bits = std::bit_cast<uint32_t>(value);
  bits += last / 2 - 1 + (bits / last & 1);
  return std::bit_cast<float>(bits & ~(last - 1));
}

template <int kept>
float cut(float value, float) {
  return std::bit_cast<float>(std::bit_cast<uint32_t>(value) & ~((1u << (23 - kept)) - 1));
}

// Below 2^-14 float16 has a fixed step, 2^-24.
float to_float16(float value, float largest) {
  if (std::fabs(value) < 0x1p-14f) return std::nearbyint(value * 0x1p24f) * 0x1p-24f;
  return nearest<10>(value, largest);
}

// 16 bits with a sign, scaled so that the tensor fits into [-1, 1), [-2, 2), ...
float to_fixed16(float value, float largest) {
  const double step = std::exp2(std::ceil(std::log2(double(largest))) - 15);
  return float(std::nearbyint(value / step) * step);
}

constexpr InputFormat kFormats[] = {
    {"TF32", nearest<10>},
    {"TF32 (cut, not rounded)", cut<10>},
    {"float16", to_float16},
    {"bfloat16", nearest<7>},
    {"bfloat16 (cut, not rounded)", cut<7>},
    {"16-bit fixed-point", to_fixed16},
};

std::vector<ProductSum>& product_sums() {
  static std::vector<ProductSum> sums;
  return sums;
}

std::vector<float> rounded(std::span<const float> values, const InputFormat& format) {
  float largest = 0;
  for (const float value : values) largest = std::max(largest, std::fabs(value));
  std::vector<float> result;
  for (const float value : values) result.push_back(format.rounded(value, largest));
  return result;
}

// The sum of squares of (got - expected); infinite where that is no number.
double squared_errors(std::span<const float> got, std::span<const double> expected) {
  double sum = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    const double error = double(got[i]) - expected[i];
    sum += error * error;
  }
  return std::isfinite(sum) ? sum : INFINITY;
}

}  // namespace

std::span<const InputFormat> input_formats() {
  return kFormats;
}

RegisterProductSums::RegisterProductSums(std::span<const ProductSum> sums) {
  product_sums().insert(product_sums().end(), sums.begin(), sums.end());
}

std::optional<std::vector<double>> product_sum(const Evidence& evidence) {
  // "conv2d*" is also the name of gradients, which a model of convolutions knows nothing about.
  for (const ProductSum& known : product_sums()) {
    if (fnmatch(known.op, evidence.op.c_str(), 0) != 0) continue;
    if (auto result = known.compute(evidence)) return result;
  }
  return std::nullopt;
}

std::optional<std::string> lost_inputs(const Evidence& evidence, const FactorNames& factors) {
  if (evidence.got.f32.empty()) return std::nullopt;
  const double errors = squared_errors(evidence.got.f32, evidence.reference.f64);
  struct Fit {
    double left;
    std::string what;
  };
  std::vector<Fit> fits;
  for (const InputFormat& format : kFormats) {
    for (const unsigned which : {3u, 1u, 2u}) {  // both factors, the first, the second
      Evidence changed = evidence;
      std::vector<std::vector<float>> kept;
      for (CaseTensor& input : changed.inputs) {
        for (unsigned i = 0; i < 2; ++i) {
          if (input.name != factors[i] || !(which >> i & 1)) continue;
          kept.push_back(rounded(input.f32, format));
          input.f32 = kept.back();
        }
      }
      const auto model = product_sum(changed);
      if (!model || model->size() != evidence.got.f32.size()) continue;
      const double left = squared_errors(evidence.got.f32, *model);
      if (!(left <= 0.01 * errors)) continue;  // a tenth of the rms
      fits.push_back(
          {left, which == 3 ? fmt::format("{} inputs", format.name)
                            : fmt::format("{} rounded to {}", factors[which - 1], format.name)});
    }
  }
  if (fits.empty()) return std::nullopt;
  const double best = std::ranges::min(fits, {}, &Fit::left).left;
  std::string found;
  for (const Fit& fit : fits) {
    // What is left is float32's own rounding, the same for formats that round these inputs alike.
    if (fit.left > 1.25 * best) continue;
    found += (found.empty() ? "" : " or of ") + fit.what;
  }
  return found;
}

}  // namespace convkit
