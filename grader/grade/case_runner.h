// SPDX-License-Identifier: MIT
// Runs cases on a submission and judges their outputs.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "report/result.h"
#include "session/session.h"
#include "stage/cases.h"
#include "stage/stage.h"

namespace convkit {

class CaseRunner {
 public:
  // `reveal_hidden`: staff see what a hidden case says.
  CaseRunner(const Stage& stage, SessionOptions options, bool reveal_hidden = false);

  // One case, from its file to its verdict. Never throws for what a submission does; a fault of
  // the kit becomes GRADER_ERROR.
  CaseResult run(const CaseSpec& spec);

 private:
  CaseResult judged(const CaseSpec& spec);
  Answer call(const CaseSpec& spec, const SharedArena& inputs, SharedArena& outputs);
  Answer call_in_session(const CaseSpec& spec, const SharedArena& inputs, SharedArena& outputs);

  const Stage& stage_;
  SessionOptions options_;
  bool reveal_hidden_;
  std::unique_ptr<Session> session_;
  unsigned runs_in_session_ = 0;
  bool loading_failed_ = false;  // the last session ended before the submission was loaded
  std::string cannot_load_;      // why every further case is skipped, or ""
  std::string printed_;
  // Functions that hung or flooded: their other cases are skipped, or a class would wait for hours.
  std::map<std::string, std::string> given_up_;
};

}  // namespace convkit
