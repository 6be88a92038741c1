// SPDX-License-Identifier: MIT
// The compiler's time, as own_time.h counts it: of one source, and of all sources of a build
// together. What the kit compiles for itself, as a header for all sources, is not among it.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "stage/stage.h"

namespace convkit {

// May be used from several threads.
class BuildBudget {
 public:
  explicit BuildBudget(const StageLimits& limits)
      : of_one_(limits.build), of_all_(limits.all_builds) {}

  // What the next source may take; 0 or less: nothing is left.
  std::chrono::seconds left_for_one() const {
    return std::min(of_one_, of_all_ - std::chrono::seconds(spent_ms_.load() / 1000));
  }
  // Whether the other sources left it less than it may take alone.
  bool is_cut(std::chrono::seconds left) const { return left < of_one_; }
  void spend(double seconds) { spent_ms_ += static_cast<int64_t>(seconds * 1000); }

 private:
  std::chrono::seconds of_one_, of_all_;
  std::atomic<int64_t> spent_ms_ = 0;
};

}  // namespace convkit
