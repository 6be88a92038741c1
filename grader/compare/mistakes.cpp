// SPDX-License-Identifier: MIT
// The registry of known mistakes, and the test whether one of them explains an output.
#include <fnmatch.h>

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <limits>

#include "compare/closeness.h"
#include "compare/diagnose.h"
#include "compare/judge.h"

namespace convkit {
namespace {

// Quiet NaNs with payloads of their own; as doubles they survive being copied.
constexpr uint64_t kUnwritten = 0x7ff8'0000'0000'c04bull;
constexpr uint64_t kFromUnwritten = 0x7ff8'0000'0001'c04bull;
constexpr uint64_t kAnything = 0x7ff8'0000'0002'c04bull;

std::vector<MistakeModel>& registry() {
  static std::vector<MistakeModel> models;
  return models;
}

// Whether an output is what a model predicts.
class Agreement {
 public:
  Agreement(const Evidence& evidence, double slack)
      : evidence_(evidence), closeness_(evidence, slack) {}

  bool agrees(size_t i, double predicted) const {
    const uint64_t special = std::bit_cast<uint64_t>(predicted);
    if (special == kAnything) return true;
    const bool is_int = !evidence_.got.i32.empty();
    const uint32_t bits =
        is_int ? uint32_t(evidence_.got.i32[i]) : std::bit_cast<uint32_t>(evidence_.got.f32[i]);
    if (special == kUnwritten) return is_unwritten(bits);
    if (is_int) return evidence_.got.i32[i] == predicted;
    if (special == kFromUnwritten) return is_from_unwritten(bits);
    const double got = evidence_.got.f32[i];
    if (std::isfinite(predicted) && std::fabs(predicted) > double(FLT_MAX)) {
      return got == std::copysign(std::numeric_limits<double>::infinity(), predicted);
    }
    return judge(bits, got, predicted, closeness_.allowed(predicted)) == Verdict::right;
  }

  // Whether the prediction at `i` cannot be taken for the reference.
  bool differs_from_reference(size_t i, double predicted) const {
    const uint64_t special = std::bit_cast<uint64_t>(predicted);
    if (special == kAnything) return false;
    if (special == kUnwritten || special == kFromUnwritten) return true;
    if (!evidence_.reference.i32.empty()) return evidence_.reference.i32[i] != predicted;
    const double expected = evidence_.reference.f64[i];
    if (std::isnan(predicted) || std::isnan(expected)) {
      return std::isnan(predicted) != std::isnan(expected);
    }
    if (std::isinf(predicted) || std::isinf(expected)) return predicted != expected;
    const double larger = std::max(std::fabs(predicted), std::fabs(expected));
    return !(std::fabs(predicted - expected) <= 2 * closeness_.allowed(larger));
  }

 private:
  const Evidence& evidence_;
  Closeness closeness_;
};

bool explains(const MistakeModel& model, const Evidence& evidence) {
  const auto predicted = model.predict(evidence);
  const size_t elements = size_t(evidence.comparison.elements);
  if (!predicted || predicted->size() != elements) return false;
  const Agreement agreement(evidence, model.slack);
  bool differs = false;
  for (size_t i = 0; i < elements; ++i) {
    if (!agreement.agrees(i, (*predicted)[i])) return false;
    differs = differs || agreement.differs_from_reference(i, (*predicted)[i]);
  }
  return differs;
}

}  // namespace

double predicted_unwritten() {
  return std::bit_cast<double>(kUnwritten);
}
double predicted_from_unwritten() {
  return std::bit_cast<double>(kFromUnwritten);
}
double predicted_anything() {
  return std::bit_cast<double>(kAnything);
}

RegisterMistakes::RegisterMistakes(std::span<const MistakeModel> models) {
  registry().insert(registry().end(), models.begin(), models.end());
}

std::span<const MistakeModel> registered_mistakes() {
  return registry();
}

const MistakeModel* matching_mistake(const Evidence& evidence) {
  for (const MistakeModel& model : registered_mistakes()) {
    const bool applies = fnmatch(model.op, evidence.op.c_str(), 0) == 0;
    if (applies && explains(model, evidence)) return &model;
  }
  return nullptr;
}

}  // namespace convkit
