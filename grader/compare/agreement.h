// SPDX-License-Identifier: MIT
// Whether an output is what a model of a mistake predicts.
#pragma once

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "compare/closeness.h"
#include "compare/diagnose.h"
#include "compare/judge.h"

namespace convkit {

// A prediction that is a value with a meaning of its own (compare/diagnose.h).
inline bool is_special(double predicted, double special) {
  return std::bit_cast<uint64_t>(predicted) == std::bit_cast<uint64_t>(special);
}

// Memory of the CPU device in which nothing was written: every byte is 0xff.
inline bool is_fresh(uint32_t bits) {
  return bits == 0xffffffffu;
}

class Agreement {
 public:
  explicit Agreement(const Evidence& evidence, double slack = 1)
      : evidence_(evidence), closeness_(evidence, slack) {}

  bool agrees(size_t i, double predicted) const {
    if (is_special(predicted, predicted_anything())) return true;
    const bool is_int = !evidence_.got.i32.empty();
    const uint32_t bits =
        is_int ? uint32_t(evidence_.got.i32[i]) : std::bit_cast<uint32_t>(evidence_.got.f32[i]);
    if (is_special(predicted, predicted_unwritten())) return is_unwritten(bits) || is_fresh(bits);
    if (is_int) return evidence_.got.i32[i] == predicted;
    if (is_special(predicted, predicted_from_unwritten())) return is_from_unwritten(bits);
    const double got = evidence_.got.f32[i];
    if (std::isfinite(predicted) && std::fabs(predicted) > double(FLT_MAX)) {
      return got == std::copysign(std::numeric_limits<double>::infinity(), predicted);
    }
    return judge(bits, got, predicted, closeness_.allowed(predicted)) == ElementState::right;
  }

  // Whether the prediction at `i` cannot be taken for the reference.
  bool differs_from_reference(size_t i, double predicted) const {
    if (is_special(predicted, predicted_anything())) return false;
    if (is_special(predicted, predicted_unwritten())) return true;
    if (is_special(predicted, predicted_from_unwritten())) return true;
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

// Weighs element `i`, which agrees with the prediction.
inline void weigh(const Evidence& evidence, const Agreement& agreement, size_t i, double predicted,
                  Weigher& weigher) {
  const bool is_int = !evidence.got.i32.empty();
  const double expected = is_int ? evidence.reference.i32[i] : evidence.reference.f64[i];
  if (agreement.agrees(i, expected)) return;
  if (is_special(predicted, predicted_anything())) return weigher.open();
  if (is_special(predicted, predicted_unwritten())) return weigher.missing();
  if (!agreement.differs_from_reference(i, predicted)) return weigher.close();
  if (std::isnan(predicted) && evidence.comparison.wrong < evidence.comparison.elements) {
    return weigher.not_a_number();
  }
  weigher.value(is_int ? float(evidence.got.i32[i]) : evidence.got.f32[i]);
}

}  // namespace convkit
