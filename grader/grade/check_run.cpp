// SPDX-License-Identifier: MIT
#include "grade/check_run.h"

#include <fmt/format.h>

#include <utility>

#include "convkit/timing.h"
#include "grade/device/device_report.h"
#include "grade/stage_build.h"

namespace convkit {
namespace {

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

// A report that does not decide by itself, and an output that is wrong as well.
bool is_wrong_and_reported(const CaseResult& checked) {
  return checked.status == Status::wrong && !checked.by_device && !checked.aside.empty();
}

bool is_a_fault(const CaseResult& checked) {
  if (is_wrong_and_reported(checked)) return true;
  return checked.by_device && decides(checked.mistake) &&
         !may_be_of_check_mode_only(checked.mistake) &&
         (checked.status == Status::wrong || checked.status == Status::crashed);
}

// The order of float additions is judged in plain mode; here one run is enough.
Stage run_once(Stage stage) {
  stage.same_bits.clear();
  return stage;
}

}  // namespace

CheckRun::CheckRun(const Kit& kit, const Stage& stage, std::filesystem::path folder,
                   std::vector<std::string> files, bool reveal_hidden)
    : kit_(kit.without_gpu()),
      stage_(run_once(stage)),
      folder_(std::move(folder)),
      files_(std::move(files)),
      reveal_hidden_(reveal_hidden) {}

bool CheckRun::build(Builder& builder, ThreadPool& pool) try {
  if (runner_ || given_up_) return !given_up_;
  BuildRequest request = kit_.build_request(stage_, folder_, files_, true);
  request.partial = true;
  const BuildResult built = build_or_explain(builder, request, pool);
  if (built.status != BuildResult::Status::ok) {
    given_up_ = true;
    if (!interrupted()) note("", fmt::format("it does not compile: {}", built.message));
    return false;
  }
  partial_ = PartialBuild(built, folder_, kit_.starter(stage_));
  session_ = kit_.session_options(stage_, built.library, true);
  session_.sources = folder_;
  // Check mode has more time; a time-out is told with it.
  stage_.limits.one_case = std::chrono::duration_cast<std::chrono::seconds>(session_.limits.wall);
  runner_ = std::make_unique<CaseRunner>(stage_, session_, true, partial_);
  return true;
} catch (const std::exception& error) {  // a part of the kit is missing
  given_up_ = true;
  note("", error.what());
  return false;
}

void CheckRun::note(const std::string& op, const std::string& sentence) {
  if (!noted_.insert(op).second) return;
  notes_.push_back(fmt::format("In check mode, {}{}{} This costs nothing.", op,
                               op.empty() ? "" : ": ", sentence));
}

void CheckRun::look(Case& one, CaseResult& result, Builder& builder, ThreadPool& pool) {
  const CaseHead& head = one.head();
  if (result.status != Status::pass || one.own_time() || interrupted()) return;
  if (head.hidden && !at_fault_.contains(head.op)) return;
  const Stopwatch watch;
  if (seconds_ > static_cast<double>(stage_.limits.all_cases.count())) {
    note("", "the stage's time was used up: not every case was run.");
    given_up_ = true;
  }
  if (!build(builder, pool)) return;
  CaseResult checked = runner_->run(one);
  if (is_a_fault(checked)) {
    // An earlier case may have left it behind.
    CaseRunner alone(stage_, session_, true, partial_);
    checked = alone.run(one);
  }
  while (const auto forged = runner_->take_forged()) note(forged->op, first_line(forged->message));
  seconds_ += watch.elapsed_s();
  if (interrupted()) return;
  if (is_a_fault(checked)) {
    at_fault_.insert(head.op);
    result.status = checked.status;
    if (head.hidden && !reveal_hidden_) return;
    result.message = is_wrong_and_reported(checked)
                         ? fmt::format("{}: {}\nThat was in check mode, with a wrong output. {}",
                                       head.op, checked.aside, checked.message)
                         : checked.message + "\nThe output was right. Check mode names the fault.";
    result.hint = checked.hint;
    result.mistake = checked.mistake;
    result.printed = checked.printed;
  } else if (head.hidden || checked.status == Status::skipped) {
    return;  // the function's note has been made
  } else if (checked.status != Status::pass) {
    note(head.op, fmt::format("case {} passed, and here it is {}. {}", head.name,
                              name_of(checked.status), first_line(checked.message)));
  } else if (!checked.aside.empty()) {
    note(head.op, checked.aside);
  }
}

}  // namespace convkit
