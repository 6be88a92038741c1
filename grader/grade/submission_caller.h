// SPDX-License-Identifier: MIT
// Calls a submission's functions in a runner process, and sees to it that a call is judged by what
// it did itself and not by what an earlier one left behind.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "session/session.h"
#include "stage/cases.h"

namespace convkit {

class SubmissionCaller {
 public:
  explicit SubmissionCaller(SessionOptions options) : options_(std::move(options)) {}

  // Calls the op of a case. A failure that an earlier case may have caused is tried again in a
  // fresh process, and so is a runner's complaint about itself, which student code can make it
  // utter. The kit is to blame only for what also happens without the submission (kit_fault).
  Answer call(const CaseHead& head, const Params& params, const SharedArena& inputs,
              SharedArena& outputs);

  // To be called after the last case, or for a fresh process: asks the process once more, as a
  // reply that was forged is noticed at the next request, and ends it.
  void finish();

  // A case before this one, if it was found to have passed for a reply it had forged; told once.
  std::optional<CaseHead> take_forger();
  // The process of the last call has run another op before.
  bool ran_another_op() const { return ran_another_op_; }
  // The text that the last call printed.
  const std::string& printed() const { return printed_; }
  // The last call's process ended before the submission was loaded.
  bool loading_failed() const { return loading_failed_; }
  // How many processes were started so far.
  unsigned processes() const { return processes_; }
  // Session::own_time_s() of all its processes so far.
  double own_time_s() const;
  const SessionOptions& options() const { return options_; }

 private:
  void end_session();
  Answer call_in_session(const std::string& op, const Params& params, const SharedArena& inputs,
                         SharedArena& outputs);
  bool left_something();
  Answer without_submission(const std::string& op, const Params& params, const SharedArena& inputs,
                            const SharedArena& outputs) const;

  SessionOptions options_;
  std::unique_ptr<Session> session_;
  unsigned runs_in_session_ = 0;
  unsigned processes_ = 0;
  double ended_sessions_s_ = 0;     // their processor time
  std::optional<Footprint> clean_;  // what session_ held before the submission left anything
  bool loading_failed_ = false;
  bool forged_before_ = false;  // the last session held a reply that the case before had forged
  std::string first_op_;
  bool ran_another_op_ = false;
  std::string printed_;
  std::optional<CaseHead> in_session_;  // the last case that was run in session_
  std::deque<CaseHead> forgers_;
};

}  // namespace convkit
