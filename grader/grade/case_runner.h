// SPDX-License-Identifier: MIT
// Runs cases on a submission and judges their outputs.
#pragma once

#include <map>
#include <memory>
#include <optional>
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

  // To be called after the last case: asks the process once more, as a reply that was forged is
  // noticed at the next request.
  void finish();

  // A case that passed for a reply it had forged, as POLICY; its name and `hidden` say which.
  // Noticed by the last run() or finish(), and told once.
  std::optional<CaseResult> take_forged();

 private:
  CaseResult named(CaseResult result, const CaseSpec& spec) const;
  void note_forgery();
  CaseResult judged(const CaseSpec& spec);
  Answer call(const CaseSpec& spec, const SharedArena& inputs, SharedArena& outputs);
  Answer call_in_session(const CaseSpec& spec, const SharedArena& inputs, SharedArena& outputs);

  const Stage& stage_;
  SessionOptions options_;
  bool reveal_hidden_;
  std::unique_ptr<Session> session_;
  unsigned runs_in_session_ = 0;
  bool loading_failed_ = false;  // the last session ended before the submission was loaded
  bool forged_before_ = false;   // the last session held a reply that the case before had forged
  std::string cannot_load_;      // why every further case is skipped, or ""
  std::string printed_;
  // Functions that hung, flooded or took long to crash: their other cases are skipped, or a class
  // would wait for hours.
  std::map<std::string, std::string> given_up_;
  std::map<std::string, unsigned> slow_crashes_;
  std::optional<CaseSpec> in_session_;  // the last case that was run in session_
  std::optional<CaseResult> forged_;
};

}  // namespace convkit
