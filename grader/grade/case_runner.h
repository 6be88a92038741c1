// SPDX-License-Identifier: MIT
// Runs cases on a submission and judges their outputs. Hidden cases run in processes of their own:
// what a visible case prints is shown, and its process must never have seen a hidden input.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "grade/case.h"
#include "grade/partial_build.h"
#include "grade/submission_caller.h"
#include "report/result.h"
#include "session/session.h"
#include "stage/stage.h"

namespace convkit {

class CaseRunner {
 public:
  // `reveal_hidden`: staff see what a hidden case says. `partial`: what the submission lacks.
  CaseRunner(const Stage& stage, const SessionOptions& options, bool reveal_hidden = false,
             PartialBuild partial = {});

  // One case, from its first trial to its verdict, of at most `most` trials; the first that fails
  // decides. Never throws for what a submission does; a fault of the kit becomes GRADER_ERROR.
  CaseResult run(Case& one, unsigned most = kAllTrials);
  static constexpr unsigned kAllTrials = std::numeric_limits<unsigned>::max();

  // Is told the outputs of every call before they are judged. What it is told last of a case is
  // what the verdict is about.
  using SeeOutputs = std::function<void(const CaseHead&, std::span<const std::vector<std::byte>>)>;
  void show_outputs_to(SeeOutputs see) { see_outputs_ = std::move(see); }

  // To be called after the last case: a reply that was forged is noticed at the next request.
  void finish();

  // A case that passed for a reply it had forged, as POLICY; its name and `hidden` say which.
  // Noticed by the last run() or finish(), and told once.
  std::optional<CaseResult> take_forged();

  // Session::own_time_s() of all its processes so far.
  double own_time_s();

  // What the cases of one side, visible or hidden, have found out.
  struct Memory {
    std::string cannot_load;  // why every further case is skipped, or ""
    // Functions that hung, flooded or took long to crash: their other cases are skipped, or a class
    // would wait for hours.
    std::map<std::string, std::string> given_up;
    std::map<std::string, unsigned> slow_crashes;
  };
  const Memory& memory(bool hidden) const { return sides_[hidden ? 1 : 0].memory; }
  // For a grading that goes on: of cases that an earlier runner has run.
  void remember(bool hidden, const Memory& memory) { sides_[hidden ? 1 : 0].memory = memory; }

 private:
  CaseResult named(CaseResult result, const CaseHead& head) const;
  // The processes of the visible or of the hidden cases, and what was found out with them.
  struct Side {
    explicit Side(const SessionOptions& options) : caller(options) {}

    SubmissionCaller caller;
    // For ops that must give the same bits on every run: the same, with blocks in another order.
    std::vector<std::unique_ptr<SubmissionCaller>> again;
    // For ops that read shared memory which nobody has written: the same, where it holds other
    // values.
    std::vector<std::unique_ptr<SubmissionCaller>> otherwise;
    Memory memory;
    std::set<std::string> wrong_alone;  // functions that were wrong in a process of their own
  };
  Side& side_of(const CaseHead& head) { return sides_[head.hidden ? 1 : 0]; }

  bool may_run(const CaseHead& head, CaseResult& result) const;
  // A wrong output that another function may have caused is judged again, in a fresh process.
  CaseResult judged(const CaseHead& head, Trial& trial);
  CaseResult judged_once(const CaseHead& head, Trial& trial);
  struct Called {
    std::vector<std::vector<std::byte>> outputs;
    bool todo_reached;
    std::string work;                       // what the device counted
    std::string explained;                  // by check mode, should an output be wrong
    std::string grid;                       // the kind of its report, where it is about the grid
    std::optional<CaseResult> left_behind;  // the verdict, should none be wrong
    std::string left_words;                 // the same beside a wrong output
    std::string how;                        // the harness's note of the call; or ""
  };
  // Calls, and copies the outputs. Nothing where it failed: `result` says how. A report of kind
  // `but` is no failure.
  std::optional<Called> call(SubmissionCaller& caller, const CaseHead& head, const Trial& trial,
                             CaseResult& result, const std::string& but = "");
  // In check mode, of an op that reads what nobody has written: whether that matters.
  bool depends_on_fresh_memory(const CaseHead& head, Trial& trial);
  template <class Visit>
  void for_each_caller(const Visit& visit);
  void take_failure(const SubmissionCaller& caller, const CaseHead& head, const Answer& answer,
                    int64_t elements, CaseResult& result);
  bool same_bits_again(const CaseHead& head, const Trial& trial,
                       std::span<const std::vector<std::byte>> first, CaseResult& result);

  const Stage& stage_;
  SeeOutputs see_outputs_;
  bool reveal_hidden_;
  PartialBuild partial_;
  std::array<Side, 2> sides_;  // visible, hidden
};

}  // namespace convkit
