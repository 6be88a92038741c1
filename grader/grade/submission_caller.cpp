// SPDX-License-Identifier: MIT
#include "grade/submission_caller.h"

#include <algorithm>
#include <utility>

#include "grade/device/source_lines.h"

namespace convkit {

namespace {

// What a process may keep of its memory limit until it is replaced: heaps do not shrink at once,
// and a cache is allowed.
constexpr uint64_t kKeptShare = 8;

// An earlier case of the process may be the cause: it damaged memory, used up what there is, left a
// thread with a lock, printed or forged.
bool may_be_inherited(Answer::Kind kind) {
  switch (kind) {
    case Answer::Kind::ended:
    case Answer::Kind::exception:  // the process still runs, but memory or threads may be used up
    case Answer::Kind::cuda_failure:
    case Answer::Kind::output_limit:
    case Answer::Kind::memory_limit:
    case Answer::Kind::tampered:
    case Answer::Kind::timed_out:
      return true;
    default:
      return false;
  }
}

}  // namespace

// Only what happens in a fresh process counts against a case.
Answer SubmissionCaller::call(const CaseHead& head, const Params& params, const SharedArena& inputs,
                              SharedArena& outputs) {
  unsigned complaints = 0;
  for (bool first = true;; first = false) {
    const bool fresh = !session_ || runs_in_session_ == 0;
    const Answer answer = call_in_session(head.op, params, inputs, outputs);
    // A case with a forged reply is judged by its outputs at that time. Its true reply, or another
    // forged one, then waits for the next request.
    if (first && forged_before_) forgers_.push_back(*in_session_);
    in_session_ = head;
    if (answer.kind == Answer::Kind::ok || answer.kind == Answer::Kind::left_behind) {
      if (answer.kind == Answer::Kind::left_behind || left_something()) finish();
      return answer;
    }
    if (answer.kind == Answer::Kind::missing_entry) return answer;
    end_session();
    if (may_be_inherited(answer.kind) && !fresh) continue;
    if (answer.kind != Answer::Kind::case_error) return answer;
    if (++complaints == 2) {
      Answer alone = without_submission(head.op, params, inputs, outputs);
      return alone.kind == Answer::Kind::ok ? answer : alone;
    }
  }
}

// The kernel says what the process holds. A pool of threads that waits is replaced as well: that
// costs a moment, and nobody can see whether it waits for ever.
bool SubmissionCaller::left_something() {
  if (!options_.confined) return false;  // on the student's own machine
  if (options_.check) return false;      // what check mode remembers of memory grows
  const std::optional<Footprint> now = session_->footprint();
  if (!now || !clean_) return true;
  // A device's driver opens files and starts threads when it is first used.
  if (options_.device && runs_in_session_ == 1) clean_ = now;
  const auto kept = [](uint64_t limit, uint64_t before, uint64_t after) {
    return limit > 0 && after > before + limit / kKeptShare;
  };
  const Limits& limits = options_.limits;
  return now->threads > clean_->threads || now->descriptors > clean_->descriptors ||
         kept(limits.memory_bytes, clean_->memory, now->memory) ||
         kept(limits.resident_bytes, clean_->resident, now->resident);
}

// The same case in a runner that has loaded nothing: if that fails as well, the kit is to blame.
Answer SubmissionCaller::without_submission(const std::string& op, const Params& params,
                                            const SharedArena& inputs,
                                            const SharedArena& outputs) const {
  SessionOptions alone = options_;
  alone.submission.clear();
  return Session(alone).rehearse(op, params, inputs, outputs);
}

void SubmissionCaller::finish() try {
  if (!session_ || !in_session_) return;
  // Any request will do: what matters is whether a reply lies there already.
  SharedArena nothing({{"nothing", DType::float32, {1}}});
  SharedArena nowhere({{"nowhere", DType::float32, {1}}});
  const Answer answer = session_->prepare(in_session_->op, {}, nothing, nowhere);
  if (answer.kind == Answer::Kind::tampered) forgers_.push_back(*in_session_);
  end_session();
} catch (const std::exception&) {  // the case was judged; only the question cannot be put
  end_session();
}

std::optional<CaseHead> SubmissionCaller::take_forger() {
  if (forgers_.empty()) return std::nullopt;
  CaseHead forger = std::move(forgers_.front());
  forgers_.pop_front();
  return forger;
}

void SubmissionCaller::end_session() {
  if (session_) ended_sessions_s_ += session_->own_time_s();
  session_.reset();
}

double SubmissionCaller::own_time_s() const {
  return ended_sessions_s_ + (session_ ? session_->own_time_s() : 0);
}

Answer SubmissionCaller::call_in_session(const std::string& op, const Params& params,
                                         const SharedArena& inputs, SharedArena& outputs) {
  outputs.poison();
  if (!session_) {
    session_ = std::make_unique<Session>(options_);
    runs_in_session_ = 0;
    ++processes_;
    clean_ = session_->footprint();
    first_op_ = op;
    ran_another_op_ = false;
  }
  ran_another_op_ |= op != first_op_;
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
  if (options_.check) {
    printed_ = with_source_lines(printed_, options_);
    if (answer.kind == Answer::Kind::cuda_failure || answer.kind == Answer::Kind::left_behind) {
      answer.text = with_source_lines(answer.text, options_);  // of a call
    }
    if (answer.kind == Answer::Kind::ended && !answer.crash_site.empty()) {
      answer.crash_line = with_source_lines(answer.crash_site, options_);
      if (answer.crash_line == kUnknownLine) answer.crash_line.clear();
    }
  }
  return answer;
}

}  // namespace convkit
