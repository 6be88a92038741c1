// SPDX-License-Identifier: MIT
#include "cpu_device/profile/trace.h"

#include <iterator>

namespace convkit::simt::profile {

void Trace::access(unsigned lane, Instruction instruction, uint64_t path, uintptr_t at,
                   unsigned size) {
  const Turn turn{instruction, path};
  std::vector<Position>& made = executed_[turn];
  const size_t n = executions_[{turn, lane}]++;
  if (n >= made.size()) {
    if (steps_.size() >= kMostSteps) {
      ++left_out_;
      return;
    }
    const bool has_one = has_one_ >> lane & 1;
    Position behind = has_one    ? std::next(last_[lane])
                      : met_any_ ? std::next(met_)
                                 : steps_.begin();
    Step step;
    step.instruction = instruction;
    made.push_back(steps_.insert(behind, step));
  }
  last_[lane] = made[n];
  has_one_ |= 1u << lane;
  made[n]->request.add(lane, at, size);
}

void Trace::meet() {
  executed_.clear();
  executions_.clear();
  has_one_ = 0;
  met_any_ = !steps_.empty();
  if (met_any_) met_ = std::prev(steps_.end());
}

void Trace::barrier(std::string file, int line) {
  if (steps_.size() < kMostSteps) {
    Step step;
    step.is_barrier = true;
    step.file = std::move(file);
    step.line = line;
    steps_.push_back(step);
  }
  meet();
}

}  // namespace convkit::simt::profile
