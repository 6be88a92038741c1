// SPDX-License-Identifier: MIT
#include "grade/check_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "grade/causes.h"
#include "grade/device/device_report.h"
#include "grade/stage_build.h"

namespace convkit {
namespace {

constexpr unsigned kCasesForACause = 2;  // of one function
constexpr const char* kOtherwise =
    "The code behaves otherwise in check mode: staff should look at it.";

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

// A report that does not decide by itself, and an output that is wrong as well.
bool is_wrong_and_reported(const CaseResult& checked) {
  return checked.status == Status::wrong && !checked.by_device && !checked.aside.empty();
}

// What ended with a time-out or at a limit is not tried again.
bool may_have_a_cause(const CaseResult& result) {
  return has_failed(result.status) && !was_cut_off(result.status);
}

bool is_named_by_device(const CaseResult& checked) {
  return checked.by_device && may_have_a_cause(checked) && decides(checked.mistake) &&
         !may_be_of_check_mode_only(checked.mistake);
}

bool is_a_fault(const CaseResult& checked) {
  return is_wrong_and_reported(checked) || is_named_by_device(checked);
}

// Leads with what check mode saw of a case that had failed without it. The map and the numbers
// stay.
void lead_with(const CaseResult& checked, CaseResult& result) {
  if (result.message.starts_with(checked.message)) return;  // only check mode had failed it
  // A report of the same kind has no lines without check mode, and nothing else to say.
  result.message = result.mistake == checked.mistake
                       ? checked.message
                       : fmt::format("{}\nThis was seen in check mode. Without check mode: {}",
                                     checked.message, result.message);
  result.hint = checked.hint;
  result.mistake = checked.mistake;
  result.printed = checked.printed;
}

// The order of float additions is judged in plain mode; here one run is enough.
Stage run_once(Stage stage) {
  stage.same_bits.clear();
  return stage;
}

}  // namespace

CheckRun::CheckRun(const Kit& kit, const Stage& stage, std::filesystem::path folder,
                   std::vector<std::string> files, std::vector<std::string> stand_ins,
                   size_t functions, bool reveal_hidden)
    : kit_(kit.without_gpu()),
      stage_(run_once(stage)),
      most_s_(static_cast<double>(stage.limits.all_cases.count()) /
              static_cast<double>(std::max<size_t>(functions, 1))),
      folder_(std::move(folder)),
      files_(std::move(files)),
      stand_ins_(std::move(stand_ins)),
      reveal_hidden_(reveal_hidden) {}

bool CheckRun::build(Builder& builder, ThreadPool& pool) try {
  if (runner_ || given_up_) return !given_up_;
  BuildRequest request = kit_.build_request(stage_, folder_, files_, SimtMode::check);
  request.partial = true;
  request.stand_ins = stand_ins_;
  const BuildResult built = build_or_explain(builder, request, pool);
  if (built.status != BuildResult::Status::ok) {
    given_up_ = true;
    if (!interrupted()) note("", fmt::format("it does not compile: {}", built.message));
    return false;
  }
  partial_ = PartialBuild(built, folder_, kit_.starter(stage_));
  session_ = kit_.session_options(stage_, built.library, SimtMode::check);
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
  const auto& noted = memory_.notes;
  if (std::ranges::find(noted, op, &std::pair<std::string, std::string>::first) != noted.end()) {
    return;
  }
  memory_.notes.emplace_back(op, fmt::format("In check mode, {}{}{} This costs no points.", op,
                                             op.empty() ? "" : ": ", sentence));
}

std::vector<std::string> CheckRun::notes() const {
  std::vector<std::string> notes;
  for (const auto& [op, note] : memory_.notes) notes.push_back(note);
  return notes;
}

CaseResult CheckRun::run(CaseRunner& runner, Case& one, unsigned most) {
  const double before_s = runner.own_time_s();
  CaseResult result = runner.run(one, most);
  spent_s_[one.head().op] += runner.own_time_s() - before_s;
  return result;
}

CaseResult CheckRun::run_alone(Case& one) {
  CaseRunner runner(stage_, session_, true, partial_);
  return run(runner, one);
}

void CheckRun::look(Case& one, CaseResult& result, Builder& builder, ThreadPool& pool) {
  const CaseHead& head = one.head();
  if (result.status != Status::pass || one.own_limit() || interrupted()) return;
  if (head.hidden && !memory_.at_fault.contains(head.op) && !hidden_.insert(head.op).second) return;
  if (spent_s_[head.op] > most_s_) {
    note(head.op, fmt::format("its cases used up their time of {:.3g} s, and the others were not "
                              "run. Staff should look at it.",
                              most_s_));
    return;
  }
  if (!build(builder, pool)) return;
  // Further trials have other numbers and shapes, and take seconds.
  CaseResult checked = run(*runner_, one, 1);
  if (is_a_fault(checked)) checked = run_alone(one);
  while (const auto forged = runner_->take_forged()) note(forged->op, first_line(forged->message));
  if (interrupted()) return;
  if (is_a_fault(checked)) {
    memory_.at_fault.insert(head.op);
    result.status = checked.status;
    if (head.hidden && !reveal_hidden_) return;
    result.message =
        is_wrong_and_reported(checked)
            ? fmt::format(
                  "{}: {}\nThis was seen in check mode, where the output was wrong, too. {}",
                  head.op, checked.aside, checked.message)
            : checked.message + "\nThe output was right, but check mode found this fault.";
    result.hint = checked.hint;
    result.mistake = checked.mistake;
    result.printed = checked.printed;
  } else if (checked.left_out == LeftOut::not_loaded) {
    note("", fmt::format("no function was run, because the submission could not be loaded. {}",
                         kOtherwise));
  } else if (head.hidden || checked.status == Status::skipped) {
    return;  // the function's note has been made
  } else if (checked.status != Status::pass) {
    note(head.op,
         fmt::format("case {} passes without check mode, but here it is {}. {} {}", head.name,
                     name_of(checked.status), first_line(checked.message), kOtherwise));
  } else if (!checked.aside.empty()) {
    note(head.op, checked.aside);
  }
}

std::future<CheckRun::Looked> CheckRun::look_meanwhile(Case& one, CaseResult result,
                                                       Builder& builder, ThreadPool& pool) {
  const auto task = std::make_shared<std::packaged_task<Looked()>>(
      [this, &one, result = std::move(result), &builder, &pool]() mutable {
        if (!stopped_) look(one, result, builder, pool);
        return Looked{std::move(result), memory_};
      });
  thread_.submit([task] { (*task)(); });
  return task->get_future();
}

void CheckRun::name_causes(std::span<const std::unique_ptr<Case>> cases,
                           std::span<CaseResult> results, Builder& builder, ThreadPool& pool) {
  std::map<std::string, unsigned> tried;
  for (size_t i = 0; i < cases.size() && !interrupted(); ++i) {
    const CaseHead& head = cases[i]->head();
    CaseResult& result = results[i];
    if (!may_have_a_cause(result) || head.hidden || cases[i]->own_limit()) continue;
    if (spent_s_[head.op] > most_s_ || tried[head.op]++ >= kCasesForACause) continue;
    if (!build(builder, pool)) return;
    const CaseResult checked = run_alone(*cases[i]);
    if (interrupted()) return;
    const bool named = is_named_by_device(checked);
    if (named) {
      lead_with(checked, result);
    } else if (!checked.explanation.empty()) {
      const std::string mistake = result.mistake;
      for (CaseResult& other : results) {
        const bool is_alike = other.op == result.op && other.mistake == mistake;
        if (is_alike && !other.hidden) drop_what_grid_contradicts(checked.grid, other);
      }
      result.message += "\n" + checked.explanation;
    }
    const bool may_tell_more = checked.status == Status::pass || may_have_a_cause(checked);
    if (named || !may_tell_more) tried[head.op] = kCasesForACause;
  }
}

}  // namespace convkit
