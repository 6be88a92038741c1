// SPDX-License-Identifier: MIT
#include "grade/time_budget.h"

#include <fmt/format.h>

#include <algorithm>

#include "process/own_time.h"

namespace convkit {

void TimeBudget::charge(double wall_s, double own_s) {
  wall_s_ += wall_s;
  charged_s_ += std::min(wall_s, own_s);
}

void TimeBudget::go_on_from(double wall_s, double charged_s) {
  wall_s_ = std::max(wall_s_, wall_s);
  charged_s_ = std::max(charged_s_, charged_s);
}

std::optional<TimeBudget::Cut> TimeBudget::cut() const {
  const auto limit_s = static_cast<double>(limit_.count());
  if (charged_s_ > limit_s) {
    return Cut{Status::skipped, LeftOut::time_used_up,
               fmt::format("Skipped: earlier cases used up the stage's {} s.", limit_.count())};
  }
  if (wall_s_ <= kBusyPatience * limit_s) return std::nullopt;
  return Cut{
      Status::pending, LeftOut::machine_busy,
      fmt::format("Pending: the stage's cases took more than {} s, but the submission used only "
                  "{:.0f} s of the {} s that it may use. The machine was busy. Grade it "
                  "again.",
                  kBusyPatience * limit_.count(), charged_s_, limit_.count())};
}

}  // namespace convkit
