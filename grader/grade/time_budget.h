// SPDX-License-Identifier: MIT
// The time that the cases of a stage may take together. A case is charged the processor time of the
// submission's own processes, and never more than passed meanwhile: what a busy machine adds costs
// nothing. A submission that waits is charged little, so the time that passes has a bound of its
// own, which costs no points.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "report/result.h"

namespace convkit {

class TimeBudget {
 public:
  explicit TimeBudget(std::chrono::seconds limit) : limit_(limit) {}

  // A case that took `wall_s`, in which the submission's processes computed for `processor_s`.
  void charge(double wall_s, double processor_s);
  // A grading that goes on: the sums after a case of the earlier run.
  void go_on_from(double wall_s, double charged_s);

  // What the cases are from now on, if none may run any more.
  struct Cut {
    Status status;
    LeftOut why;
    std::string message;
  };
  std::optional<Cut> cut() const;

  double charged_s() const { return charged_s_; }

 private:
  std::chrono::seconds limit_;
  double wall_s_ = 0, charged_s_ = 0;
};

}  // namespace convkit
