// SPDX-License-Identifier: MIT
// The time that the cases of a stage may take together. A case is charged the time of the
// submission's own processes, in which they computed or slept (Session::own_time_s), and never more
// than passed meanwhile: what a busy machine adds costs nothing. The time that passes has a bound
// of its own, which costs no points.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "report/result.h"

namespace convkit {

class TimeBudget {
 public:
  explicit TimeBudget(std::chrono::seconds limit) : limit_(limit) {}

  // A case that took `wall_s`, in which the submission's processes had `own_s` for themselves.
  void charge(double wall_s, double own_s);
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
