// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "report/result.h"

namespace convkit {

// Told what happens while a submission is graded; called from any thread.
class Progress {
 public:
  virtual ~Progress() = default;
  virtual void doing(const std::string& what) { (void)what; }
  virtual void finished(const StageResult& stage, const CaseResult& result) {
    (void)stage;
    (void)result;
  }
};

}  // namespace convkit
