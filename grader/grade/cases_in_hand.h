// SPDX-License-Identifier: MIT
// Cases that have run, until check mode, which follows behind on a thread of its own, has seen
// them, too.
#pragma once

#include <deque>
#include <future>

#include "grade/check_run.h"
#include "grade/journal.h"
#include "report/result.h"

namespace convkit {

class CasesInHand {
 public:
  // The case with this index has run. `looked` is not valid if it does not run in check mode.
  void add(size_t index, CaseRecord record, std::future<CheckRun::Looked> looked);

  bool empty() const { return in_hand_.empty(); }
  // The index of the case that came first. There is one.
  size_t first() const { return in_hand_.front().index; }
  bool first_is_ready() const;
  // Its record, with what check mode saw. Waits for it.
  CaseRecord take_first();
  // Leaves the rest as it is.
  void drop() { in_hand_.clear(); }

  // A case had forged the reply that it passed for: this is its verdict. False if it is not here.
  bool replace(const CaseResult& forged);

 private:
  struct One {
    size_t index;
    CaseRecord record;
    std::future<CheckRun::Looked> looked;
    bool forged = false;
  };
  std::deque<One> in_hand_;
};

}  // namespace convkit
