// SPDX-License-Identifier: MIT
// Runs cases on a submission and judges their outputs.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grade/case_material.h"
#include "grade/submission_caller.h"
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
  // The same for a case of several trials, made one after the other; the first that fails decides.
  using MakeMaterial = std::function<std::unique_ptr<CaseMaterial>(unsigned trial)>;
  CaseResult run(const CaseSpec& spec, unsigned trials, const MakeMaterial& make);

  // To be called after the last case: a reply that was forged is noticed at the next request.
  void finish();

  // A case that passed for a reply it had forged, as POLICY; its name and `hidden` say which.
  // Noticed by the last run() or finish(), and told once.
  std::optional<CaseResult> take_forged();

 private:
  CaseResult named(CaseResult result, const CaseSpec& spec) const;
  bool may_run(const CaseSpec& spec, CaseResult& result) const;
  CaseResult judged(const CaseSpec& spec, CaseMaterial& material);
  // Calls, and copies the outputs. Nothing where it failed: `result` says how.
  using Outputs = std::vector<std::vector<std::byte>>;
  std::optional<Outputs> outputs_of(SubmissionCaller& caller, const CaseSpec& spec,
                                    const CaseMaterial& material, bool& todo_reached,
                                    CaseResult& result);
  void take_failure(const SubmissionCaller& caller, const CaseSpec& spec, const Answer& answer,
                    int64_t elements, CaseResult& result);
  bool same_bits_again(const CaseSpec& spec, CaseMaterial& material, const Outputs& first,
                       CaseResult& result);

  const Stage& stage_;
  bool reveal_hidden_;
  SubmissionCaller caller_;
  // For ops that must give the same bits on every run: the same, with blocks in another order.
  std::vector<std::unique_ptr<SubmissionCaller>> again_;
  std::string cannot_load_;  // why every further case is skipped, or ""
  // Functions that hung, flooded or took long to crash: their other cases are skipped, or a class
  // would wait for hours.
  std::map<std::string, std::string> given_up_;
  std::map<std::string, unsigned> slow_crashes_;
};

}  // namespace convkit
