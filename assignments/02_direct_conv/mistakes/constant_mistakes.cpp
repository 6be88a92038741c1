// SPDX-License-Identifier: MIT
// Constant memory that holds other filters than the kernel expects: those of another part, or of
// another call.
#include <algorithm>
#include <cmath>

#include "device_output.h"

namespace convkit::stage_02 {
namespace {

constexpr int64_t kConstantFloats = 64 * 1024 / 4;

// A result of the filters of map `source` in the place of map `m`: it keeps its own bias.
struct OtherFilters {
  explicit OtherFilters(const Evidence& evidence) : expected(evidence), b(input(evidence, "b")) {}

  // `source_of` gives the map whose filter is used for a map.
  template <class SourceOf>
  Prediction predict(SourceOf source_of) const {
    if (!expected.usable || int64_t(b.size()) != expected.maps) return std::nullopt;
    const int64_t plane = expected.rows * expected.cols;
    std::vector<double> y(expected.values.size());
    for (int64_t n = 0; n < expected.images; ++n) {
      for (int64_t m = 0; m < expected.maps; ++m) {
        const int64_t source = source_of(m);
        const double bias = double(b[size_t(m)]) - double(b[size_t(source)]);
        for (int64_t at = 0; at < plane; ++at) {
          y[size_t(expected.index(n, m, 0, 0) + at)] =
              expected.values[size_t(expected.index(n, source, 0, 0) + at)] + bias;
        }
      }
    }
    return y;
  }

  ExpectedOutput expected;
  std::span<const float> b;
};

// Whole filters that fit at a time; 0 where all do, and there is only one part.
int64_t filters_in_part(const Evidence& evidence) {
  const int64_t filter =
      parameter(evidence, "c") * parameter(evidence, "kh") * parameter(evidence, "kw");
  if (filter <= 0) return 0;
  const int64_t fitting = kConstantFloats / filter;
  return fitting < parameter(evidence, "m") ? fitting : 0;
}

Prediction first_part_for_all(const Evidence& evidence) {
  const int64_t fitting = filters_in_part(evidence);
  if (fitting == 0) return std::nullopt;
  return OtherFilters(evidence).predict([&](int64_t m) { return m % fitting; });
}

// All parts were copied before the first kernel ran. The last one may be shorter; behind it those
// of the part before are left.
Prediction last_part_for_all(const Evidence& evidence) {
  const int64_t fitting = filters_in_part(evidence), maps = parameter(evidence, "m");
  if (fitting == 0) return std::nullopt;
  return OtherFilters(evidence).predict([&](int64_t m) {
    const int64_t place = m % fitting;
    return place + (maps - 1 - place) / fitting * fitting;
  });
}

// Two calls: the first half of y, the bias included, and the second one.
struct TwoCalls {
  explicit TwoCalls(const Evidence& evidence) : expected(evidence), b(input(evidence, "b")) {
    usable = expected.usable && expected.images % 2 == 0 && int64_t(b.size()) == 2 * expected.maps;
    half = expected.images / 2 * expected.maps * expected.rows * expected.cols;
  }
  // The bias of the second call minus that of the first, for an element of a half.
  double bias_step(int64_t at) const {
    const auto m = size_t(at / (expected.rows * expected.cols) % expected.maps);
    return double(b[size_t(expected.maps) + m]) - double(b[m]);
  }

  ExpectedOutput expected;
  std::span<const float> b;
  bool usable = false;
  int64_t half = 0;
};

Prediction first_filters_twice(const Evidence& evidence) {
  const TwoCalls calls(evidence);
  if (!calls.usable) return std::nullopt;
  std::vector<double> y(calls.expected.values.begin(), calls.expected.values.end());
  for (int64_t at = 0; at < calls.half; ++at) {
    y[size_t(calls.half + at)] = y[size_t(at)] + calls.bias_step(at);
  }
  return y;
}

Prediction second_filters_twice(const Evidence& evidence) {
  const TwoCalls calls(evidence);
  if (!calls.usable) return std::nullopt;
  std::vector<double> y(calls.expected.values.begin(), calls.expected.values.end());
  for (int64_t at = 0; at < calls.half; ++at) {
    y[size_t(at)] = y[size_t(calls.half + at)] - calls.bias_step(at);
  }
  return y;
}

// Both calls used the same filters, and these are of neither: of a call before. Which ones, the
// first half shows.
Prediction older_filters_twice(const Evidence& evidence) {
  const TwoCalls calls(evidence);
  if (!calls.usable) return std::nullopt;
  std::vector<double> y(evidence.got.f32.begin(), evidence.got.f32.end());
  for (int64_t at = 0; at < calls.half; ++at) {
    if (!std::isfinite(y[size_t(at)])) return std::nullopt;
    y[size_t(calls.half + at)] = y[size_t(at)] + calls.bias_step(at);
  }
  return y;
}

// --- what students read ----------------------------------------------------------------------

constexpr const char* kOrderHint =
    "Queue the copy where the kernels are, cudaMemcpyToSymbolAsync(..., stream): a copy on another "
    "stream does not wait for them. cudaMemcpyToSymbol uses the default stream.";
constexpr const char* kEveryCallHint =
    "Constant memory keeps its content between calls. Copy the filters in every call: neither a "
    "pointer nor a flag tells whether they are still the same.";
constexpr double kTwoRoundings = 4;  // of the output that is predicted from another output

const MistakeModel kConstantMistakes[] = {
    {"stale_constant", "conv2d_constant",
     "Constant memory is stale: all parts of the filters are computed with those of the first.",
     "Each part starts at d_w + first_map * c * kh * kw, "
     "and is copied before its kernel is launched.",
     first_part_for_all},
    {"stale_constant", "conv2d_constant",
     "Constant memory was overwritten too early: "
     "every part of the filters is computed with those of the last.",
     kOrderHint, last_part_for_all},
    {"stale_constant", "conv2d_constant_twice",
     "Constant memory is stale: the second call computed with the filters of the first.",
     kEveryCallHint, first_filters_twice},
    {"stale_constant", "conv2d_constant_twice",
     "Constant memory was overwritten too early: the first "
     "call computed with the filters of the second.",
     kOrderHint, second_filters_twice},
    {"stale_constant", "conv2d_constant_twice",
     "Constant memory is stale: both calls computed with the same filters, those of a call before.",
     kEveryCallHint, older_filters_twice, kTwoRoundings},
};

const RegisterMistakes kConstantMistakesRegistered(kConstantMistakes);

}  // namespace
}  // namespace convkit::stage_02
