// SPDX-License-Identifier: MIT
#include "grade/submission_caller.h"

#include <algorithm>
#include <utility>

namespace convkit {

// A submission that damaged its own process in an earlier case would crash in this one: only what
// happens in a fresh process counts against a case.
Answer SubmissionCaller::call(const CaseHead& head, const Params& params, const SharedArena& inputs,
                              SharedArena& outputs) {
  const bool fresh = !session_ || runs_in_session_ == 0;
  Answer answer = call_in_session(head.op, params, inputs, outputs);
  // A case with a forged reply is judged by its outputs at that time. Its true reply, or another
  // forged one, then waits for the next request.
  if (forged_before_) forger_ = in_session_;
  in_session_ = head;
  // After an exception it still runs, but memory or threads may be used up.
  const bool failed = answer.kind == Answer::Kind::ended ||
                      answer.kind == Answer::Kind::exception ||
                      answer.kind == Answer::Kind::cuda_failure;
  // What was printed or forged before does not belong to this case.
  const bool may_be_inherited =
      failed || answer.kind == Answer::Kind::output_limit || answer.kind == Answer::Kind::tampered;
  const bool process_is_gone = may_be_inherited || answer.kind == Answer::Kind::timed_out ||
                               answer.kind == Answer::Kind::load_failed;
  if (process_is_gone) session_.reset();
  if (may_be_inherited && !fresh) {
    answer = call_in_session(head.op, params, inputs, outputs);
    if (answer.kind != Answer::Kind::ok) session_.reset();
  }
  return answer;
}

void SubmissionCaller::finish() try {
  if (!session_ || !in_session_) return;
  // Any request will do: what matters is whether a reply lies there already.
  SharedArena nothing({{"nothing", DType::float32, {1}}});
  SharedArena nowhere({{"nowhere", DType::float32, {1}}});
  const Answer answer = session_->prepare(in_session_->op, {}, nothing, nowhere);
  if (answer.kind == Answer::Kind::tampered) forger_ = in_session_;
  session_.reset();
} catch (const std::exception&) {  // the case was judged; only the question cannot be put
  session_.reset();
}

std::optional<CaseHead> SubmissionCaller::take_forger() {
  return std::exchange(forger_, std::nullopt);
}

Answer SubmissionCaller::call_in_session(const std::string& op, const Params& params,
                                         const SharedArena& inputs, SharedArena& outputs) {
  outputs.poison();
  if (!session_) {
    session_ = std::make_unique<Session>(options_);
    runs_in_session_ = 0;
  }
  // A static initialiser prints before the first case; its text belongs to that case.
  const size_t printed_before = runs_in_session_ == 0 ? 0 : session_->output().size();
  ++runs_in_session_;
  Answer answer = session_->start();
  loading_failed_ = answer.kind != Answer::Kind::ok;
  if (answer.kind == Answer::Kind::ok) {
    answer = session_->prepare(op, params, inputs, outputs);
  }
  // Nothing of this case has run yet.
  forged_before_ = answer.kind == Answer::Kind::tampered && runs_in_session_ > 1;
  if (answer.kind == Answer::Kind::ok) answer = session_->run();
  printed_ = session_->output().substr(std::min(printed_before, session_->output().size()));
  return answer;
}

}  // namespace convkit
