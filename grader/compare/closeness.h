// SPDX-License-Identifier: MIT
// When a wrong output counts as equal to some other prediction of it.
#pragma once

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "compare/diagnose.h"

namespace convkit {

// The magnitudes of mistaken sums are not known, so the largest finite magnitude of the reference
// is used for all of them; the rest is the case's error bound. `slack` widens it.
class Closeness {
 public:
  explicit Closeness(const Evidence& evidence, double slack = 1) {
    for (double magnitude : evidence.magnitude) {
      if (std::isfinite(magnitude)) largest_magnitude_ = std::max(largest_magnitude_, magnitude);
    }
    Tolerance tolerance = evidence.tolerance;
    tolerance.terms = std::max(tolerance.terms, 1.0);
    scale_ = slack * tolerance.factor * tolerance.gamma();
    floor_ = tolerance.terms * double(FLT_TRUE_MIN);
  }

  double allowed(double predicted) const {
    return scale_ * (largest_magnitude_ + std::fabs(predicted)) + floor_;
  }
  bool close(double got, double predicted) const {
    return std::fabs(got - predicted) <= allowed(predicted);
  }

 private:
  double largest_magnitude_ = 0;
  double scale_ = 0;
  double floor_ = 0;
};

}  // namespace convkit
