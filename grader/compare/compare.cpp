// SPDX-License-Identifier: MIT
// One pass over the data. A block is first decided as a whole by a loop without branches, which
// keeps up with memory; only a block in which something fails is looked at element by element.
#include "compare/compare.h"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <stdexcept>

#include "compare/judge.h"

namespace convkit {
namespace {

// Fits the first-level cache: a failing block is read a second time.
constexpr size_t kBlock = 1024;

// Counts instead of leaving early: no branch depends on the data. `!(diff <= allowed)` rather than
// `diff > allowed`: NaN must fail. An infinite `allowed` must not let an infinity pass.
int64_t suspects(const float* got, const double* reference, const double* magnitude, size_t count,
                 double scale, double floor) {
  int64_t bad = 0;
  for (size_t i = 0; i < count; ++i) {
    const double allowed = scale * magnitude[i] + floor;
    bad += !(std::fabs(double(got[i]) - reference[i]) <= std::min(allowed, DBL_MAX));
  }
  return bad;
}

int64_t unequal(const float* got, const double* reference, size_t count) {
  int64_t bad = 0;
  for (size_t i = 0; i < count; ++i) bad += !(double(got[i]) == reference[i]);
  return bad;
}

double ratio_of(double got, double expected, double allowed) {
  const double difference = std::fabs(got - expected);
  if (!std::isfinite(difference) || allowed == 0) return std::numeric_limits<double>::infinity();
  return difference / allowed;
}

// NaN is worse than any number; with equal ratios the larger difference is.
bool worse(const Mismatch& a, const Mismatch& b) {
  if (a.ratio != b.ratio) return a.ratio > b.ratio;
  const double a_difference = std::fabs(a.got - a.expected);
  const double b_difference = std::fabs(b.got - b.expected);
  if (std::isnan(b_difference)) return false;
  return std::isnan(a_difference) || a_difference > b_difference;
}

void record(Comparison& result, ElementState state, const Mismatch& mismatch) {
  result.unwritten += state == ElementState::unwritten;
  result.from_unwritten += state == ElementState::from_unwritten;
  result.nan += state == ElementState::nan;
  if (result.wrong++ == 0) {
    result.first = result.worst = mismatch;
  } else if (worse(mismatch, result.worst)) {
    result.worst = mismatch;
  }
}

void require_same_length(size_t got, size_t reference) {
  if (got == reference) return;
  throw std::invalid_argument("the output has " + std::to_string(got) +
                              " elements, its reference " + std::to_string(reference));
}

}  // namespace

double Tolerance::gamma() const {
  const double nu = terms * unit_roundoff;
  if (!(nu >= 0 && nu < 1)) {
    throw std::invalid_argument("no error bound exists for " + std::to_string(terms) +
                                " terms at unit roundoff " + std::to_string(unit_roundoff));
  }
  return nu / (1 - nu);
}

double Tolerance::allowed(double magnitude) const {
  return terms == 0 ? 0 : factor * gamma() * magnitude + terms * double(FLT_TRUE_MIN);
}

Comparison compare(std::span<const float> got, std::span<const double> reference,
                   std::span<const double> magnitude, const Tolerance& tolerance) {
  require_same_length(got.size(), reference.size());
  const bool exact = tolerance.terms == 0;
  if (!exact && magnitude.size() != reference.size()) {
    throw std::invalid_argument("the reference has " + std::to_string(reference.size()) +
                                " elements, its magnitude " + std::to_string(magnitude.size()));
  }
  const double scale = tolerance.factor * tolerance.gamma();
  const double floor = tolerance.terms * double(FLT_TRUE_MIN);

  Comparison result;
  result.elements = int64_t(got.size());
  for (size_t begin = 0; begin < got.size(); begin += kBlock) {
    const size_t count = std::min(kBlock, got.size() - begin);
    const int64_t bad =
        exact ? unequal(&got[begin], &reference[begin], count)
              : suspects(&got[begin], &reference[begin], &magnitude[begin], count, scale, floor);
    if (bad == 0) continue;
    for (size_t i = begin; i < begin + count; ++i) {
      const double allowed = exact ? 0 : scale * magnitude[i] + floor;
      const ElementState state =
          judge(std::bit_cast<uint32_t>(got[i]), got[i], reference[i], allowed);
      if (state == ElementState::right) continue;
      record(result, state,
             {int64_t(i), got[i], reference[i], allowed, ratio_of(got[i], reference[i], allowed)});
    }
  }
  return result;
}

Comparison compare_int(std::span<const int32_t> got, std::span<const int32_t> reference) {
  require_same_length(got.size(), reference.size());
  Comparison result;
  result.elements = int64_t(got.size());
  for (size_t i = 0; i < got.size(); ++i) {
    if (got[i] == reference[i]) continue;
    const bool unwritten = is_unwritten(uint32_t(got[i]));
    record(result, unwritten ? ElementState::unwritten : ElementState::wrong,
           {int64_t(i), float(got[i]), double(reference[i]), 0,
            std::numeric_limits<double>::infinity()});
  }
  return result;
}

}  // namespace convkit
