// SPDX-License-Identifier: MIT
#include "grade/stage_grader.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "convkit/kit_error.h"
#include "convkit/timing.h"
#include "grade/across_cases.h"
#include "grade/adjoint/adjoint_case.h"
#include "grade/case_runner.h"
#include "grade/cases_in_hand.h"
#include "grade/causes.h"
#include "grade/device/outside_tensor.h"
#include "grade/device/told_apart.h"
#include "grade/drawn_case.h"
#include "grade/seeds.h"
#include "grade/stage_build.h"
#include "grade/stage_score.h"
#include "grade/stored_case.h"
#include "grade/training/training_case.h"
#include "grade/verdict.h"
#include "grade/warned_functions.h"

namespace convkit {
namespace {

constexpr size_t kPrintedBytesKept = 2000;  // kept of what one case printed

void shorten_printed(CaseResult& result) {
  if (result.printed.size() > kPrintedBytesKept) result.printed.resize(kPrintedBytesKept);
}

void sort_as_planned(std::vector<CaseResult>& results, const std::vector<CaseHead>& planned) {
  std::map<std::pair<std::string, bool>, size_t> place;
  for (const CaseHead& head : planned) {
    place.emplace(std::pair(head.name, head.hidden), place.size());
  }
  std::ranges::stable_sort(results, {}, [&](const CaseResult& result) {
    const auto found = place.find({result.name, result.hidden});
    return found == place.end() ? place.size() : found->second;
  });
}

}  // namespace

StageGrader::StageGrader(const Kit& kit, const Stage& stage, std::filesystem::path folder,
                         std::vector<std::string> files, StageOptions options)
    : kit_(kit),
      stage_(stage),
      folder_(std::move(folder)),
      files_(std::move(files)),
      options_(std::move(options)),
      shelf_(kit.root),
      budget_(stage.limits.all_cases) {
  result_.id = stage.id;
  result_.title = stage.title;
  try {
    take_cases(kit.visible_cases(stage), false);
    if (options_.hidden) {
      const std::filesystem::path hidden = kit.wanted_hidden_cases(stage);
      if (!hidden.empty()) take_cases(hidden, true);
    }
  } catch (const std::exception& error) {
    result_.status = Status::grader_error;
    result_.message =
        fmt::format("{} Your code was not judged and no points were lost.", error.what());
  }
  std::ranges::stable_sort(cases_, {}, [](const auto& one) { return one->kind(); });
  for (const auto& one : cases_) all_cases_.push_back(one->head());
  if (options_.wanted) {
    std::erase_if(cases_, [&](const auto& one) { return !options_.wanted(one->head()); });
    options_.speed = false;
  }
  if (!options_.only_op.empty()) {
    std::erase_if(cases_, [&](const auto& one) { return one->head().op != options_.only_op; });
  }
  result_ = planned();
}

void StageGrader::take_cases(const std::filesystem::path& folder, bool hidden) {
  CaseSet set = load_case_set(folder, stage_);
  result_.references.push_back(
      {hidden ? "hidden" : "visible", set.cases.size(), set.seed, set.manifest_sha256});
  for (CaseSpec& spec : set.cases) {
    spec.hidden = hidden || spec.hidden;
    cases_.push_back(std::make_unique<StoredCase>(stage_, std::move(spec)));
  }
  const std::string seed = hidden ? hidden_seed(folder / "manifest.json") : kVisibleSeed;
  std::ranges::move(drawn_cases(stage_, seed, hidden), std::back_inserter(cases_));
  std::ranges::move(adjoint_cases(stage_, seed, hidden, baseline_), std::back_inserter(cases_));
  if (stage_.training.empty() || !options_.training) return;
  std::ranges::move(training_cases(stage_, seed + "\n" + options_.nonce, hidden,
                                   kit_.runs_on_gpu(stage_), shelf_),
                    std::back_inserter(cases_));
}

void StageGrader::keep(KeptVerdicts kept) {
  kept_ = std::move(kept);
  result_.kept.assign(kept_.functions.begin(), kept_.functions.end());
  std::erase_if(cases_, [&](const auto& one) { return kept_.functions.contains(one->head().op); });
  result_ = planned();
}

// Of an earlier grading, or of an earlier run of this one.
const SpeedResult* StageGrader::known_speed(const std::string& name) const {
  const auto kept = std::ranges::find(kept_.speed, name, &SpeedResult::name);
  if (kept != kept_.speed.end()) return &*kept;
  return journal_ ? journal_->known_speed(name) : nullptr;
}

void StageGrader::add_notes(const std::vector<std::string>& notes) {
  result_.notes.insert(result_.notes.end(), notes.begin(), notes.end());
}

void StageGrader::add_missing(std::vector<MissingFile> files) {
  missing_ = std::move(files);
  for (const MissingFile& file : missing_) result_.notes.push_back(file.note);
}

StageResult StageGrader::planned() const {
  StageResult planned = result_;
  planned.cases.clear();
  planned.speed.clear();
  for (const auto& one : cases_) planned.cases.push_back(pending_result(one->head()));
  planned.cases.insert(planned.cases.end(), kept_.cases.begin(), kept_.cases.end());
  planned.max_points = planned.pending_points = 0;
  for (const Group& group : stage_.groups) planned.max_points += group.points;
  for (const SpeedCase& speed : stage_.speed) {
    if (speed.points == 0) continue;
    SpeedResult pending;
    pending.name = speed.name;
    pending.title = speed.title;
    pending.max_points = pending.pending_points = speed.points;
    pending.message = "Not measured yet.";
    planned.speed.push_back(std::move(pending));
    planned.max_points += speed.points;
  }
  planned.pending_points = planned.max_points;
  return planned;
}

void StageGrader::skip_all(const std::string& why) {
  for (CaseResult& c : result_.cases) {
    c.status = Status::skipped;
    c.left_out = LeftOut::not_built;
    c.message = why;
  }
  for (SpeedResult& s : result_.speed) {
    s.status = Status::skipped;
    s.message = why;
    s.pending_points = 0;
  }
}

void StageGrader::leave_out(std::span<const size_t> rest, const TimeBudget::Cut& cut) {
  for (const size_t i : rest) {
    result_.cases[i].status = cut.status;
    result_.cases[i].left_out = cut.why;
    result_.cases[i].message = cut.message;
  }
}

// A case that has its result already.
void StageGrader::replace_case(const CaseResult& result) {
  for (size_t i = 0; i < result_.cases.size(); ++i) {
    if (result_.cases[i].name != result.name || result_.cases[i].hidden != result.hidden) continue;
    result_.cases[i] = result;
    if (journal_) {
      journal_->add(i, {result, true, {}, result_.run_s, budget_.charged_s(), {}, {}});
    }
  }
}

// A case that an earlier run of this grading has judged.
bool StageGrader::take_known(size_t index, CaseRunner& runner, CheckRun* again) {
  const CaseRecord* known = journal_ ? journal_->known(index) : nullptr;
  if (!known) return false;
  result_.cases[index] = known->result;
  result_.run_s = std::max(result_.run_s, known->run_s);
  budget_.go_on_from(known->run_s, known->charged_s);
  add_notes(known->notes);
  if (known->final) return true;  // it says nothing of others
  runner.remember(known->result.hidden, known->memory);
  if (again) again->remember(known->checked);
  return true;
}

// False: what happened is in the result.
bool StageGrader::build(Builder& builder, ThreadPool& pool, Progress& progress) {
  const Stopwatch watch;
  BuildRequest request = kit_.build_request(stage_, folder_, files_, mode());
  request.sanitize = options_.sanitize;
  request.confined = !options_.sanitize;
  request.partial = true;
  request.stand_ins = files_of(missing_);
  const BuildResult built = build_or_explain(builder, request, pool, [&](const std::string& file) {
    progress.doing(fmt::format("{}: compiling {}", stage_.id, file));
  });
  result_.build_s = watch.elapsed_s();
  result_.log = without_unasked_warnings(built.log, stage_.flags);
  // Sanitizers make the compiler see what is not there.
  if (!options_.sanitize) warnings_ = telling_warnings(built.log);
  add_notes(notes_on_files_not_compiled(files_));
  add_notes(built.notes);
  mend_notes(built, missing_, result_);
  for (const FailedSource& failed : built.failed) {
    result_.failed_files.push_back({failed.file, status_of(failed.status), failed.message});
  }
  if (built.status != BuildResult::Status::ok) {
    result_.status = status_of(built.status);
    result_.message = built.message;
    // If the failure was not the submission's, everything stays pending.
    if (built.status == BuildResult::Status::interrupted) {
      result_.status = Status::pending;
    } else if (result_.status == Status::grader_error) {
      result_.message += " Your code was not judged and no points were lost.";
    } else {
      skip_all("Skipped: the submission did not build.");
      score(stage_, result_);
    }
    return false;
  }
  library_ = built.library;
  partial_ = PartialBuild(built, folder_, kit_.starter(stage_));
  result_.message = partial_.to_mend();
  return true;
}

void StageGrader::run_cases(Builder& builder, ThreadPool& pool, Progress& progress,
                            const std::function<void(const StageResult&)>& publish) {
  if (result_.status == Status::grader_error) return;
  if (!build(builder, pool, progress)) {
    publish(result_);
    return;
  }
  const Stopwatch run_watch;
  SessionOptions session = kit_.session_options(stage_, library_, mode());
  session.sources = folder_;
  if (options_.sanitize) use_sanitizers(session, kit_.sanitizing_runner(stage_));
  CaseRunner runner(stage_, session, options_.reveal_hidden, partial_);
  if (options_.see_outputs) runner.show_outputs_to(options_.see_outputs);
  baseline_ = adjoint_baseline(builder, pool);
  const std::future<void> ahead = build_timed_baseline(builder, pool);
  // Cases in the order of the result. Check mode follows behind the plain runs.
  CasesInHand in_hand;
  const std::unique_ptr<CheckRun> again = check_run();
  // What is known comes first: its time counts for the limit.
  std::vector<size_t> open;
  for (size_t i = 0; i < cases_.size(); ++i) {
    if (!take_known(i, runner, again.get())) open.push_back(i);
  }
  const double before_s = result_.run_s;
  const auto run_s = [&] { return before_s + run_watch.elapsed_s(); };
  // True: the case has shown all that is asked.
  const auto settle_first = [&] {
    const size_t i = in_hand.first();
    settle(i, in_hand.take_first(), run_s(), progress);
    publish(result_);
    return options_.enough && options_.enough(result_.cases[i]);
  };
  const auto replace_forged = [&] {
    while (const auto forged = runner.take_forged()) {
      if (!in_hand.replace(*forged)) replace_case(*forged);
    }
  };
  bool enough = false;
  for (size_t k = 0; k < open.size() && !enough && !interrupted(); ++k) {
    const size_t i = open[k];
    progress.doing(fmt::format("{}: case {} ({} of {})", stage_.id, cases_[i]->head().name, i + 1,
                               cases_.size()));
    const auto cut = options_.sanitize ? std::nullopt : budget_.cut();
    if (cut) {
      leave_out(std::span(open).subspan(k), *cut);
      break;
    }
    CaseRecord record = run_one(i, runner, builder, pool);
    auto looked = again ? again->look_meanwhile(*cases_[i], record.result, builder, pool)
                        : std::future<CheckRun::Looked>();
    in_hand.add(i, std::move(record), std::move(looked));
    replace_forged();
    while (!in_hand.empty() && !enough && in_hand.first_is_ready()) enough = settle_first();
  }
  while (!in_hand.empty() && !enough) {
    progress.doing(
        fmt::format("{}: case {} in check mode", stage_.id, cases_[in_hand.first()]->head().name));
    enough = settle_first();
  }
  in_hand.drop();
  if (!interrupted()) runner.finish();
  replace_forged();
  if (!enough) {
    explain_accesses(cases_, results_of_runs());
    agree_on_causes(results_of_runs(), [&](size_t index) { return cases_[index]->trial(0); });
  }
  if (!enough && !interrupted()) {
    look_across_cases(cases_, results_of_runs(), [&](Case& one, unsigned trials) {
      CaseRunner alone(stage_, session, options_.reveal_hidden, partial_);
      return alone.run(one, trials);
    });
  }
  if (!enough) add_notes(notes_on_signals(library_));
  if (again && !enough) {  // else cases may still run in check mode, and nobody asks for more
    progress.doing(fmt::format("{}: looking for causes", stage_.id));
    again->name_causes(cases_, results_of_runs(), builder, pool);
    std::ranges::for_each(result_.cases, shorten_printed);
    add_notes(again->notes());
    add_notes(names_that_tell_devices_apart(folder_, files_));
    add_notes(notes_on_symbols(library_, again->library()));
  }
  if (!enough) add_warnings(warnings_, folder_, files_, results_of_runs());
  result_.run_s = run_s();
  score(stage_, result_);
  finish();
  publish(result_);
}

void StageGrader::look_for_change(ChangeSearch& search, const ChangeLimits& limits,
                                  Builder& builder, ThreadPool& pool, const ChangeNews& news) {
  if (library_.empty() || !result_.failed_files.empty() || interrupted()) return;
  search({kit_, stage_, folder_, files_, mode(), limits}, cases_, results_of_runs(), builder, pool,
         news);
}

CaseRecord StageGrader::run_one(size_t index, CaseRunner& runner, Builder& builder,
                                ThreadPool& pool) {
  Case& one = *cases_[index];
  const Stopwatch watch;
  const size_t notes = result_.notes.size();
  const double before_s = runner.own_time_s();
  CaseRecord record;
  double apart_s = 0;
  if (one.own_limit()) {
    ApartRun apart = run_apart(one, builder, pool);
    record.result = std::move(apart.result);
    apart_s = apart.own_s;
  } else {
    record.result = runner.run(one);
  }
  budget_.charge(watch.elapsed_s(), runner.own_time_s() - before_s + apart_s);
  record.final = one.own_limit().has_value();
  record.notes.assign(result_.notes.begin() + static_cast<std::ptrdiff_t>(notes),
                      result_.notes.end());
  record.charged_s = budget_.charged_s();
  record.memory = runner.memory(record.result.hidden);
  return record;
}

// All cases before this one are settled.
void StageGrader::settle(size_t index, CaseRecord record, double run_s, Progress& progress) {
  CaseResult& result = result_.cases[index] = record.result;
  if (cases_[index]->kind() == CaseKind::training) {
    point_to_failing_functions(result_.cases, options_.reveal_hidden, result);
  }
  note_aside(result, record.notes);
  if (options_.sanitize) explain_sanitizer(result, folder_);
  if (!options_.sanitize) shorten_printed(result);
  progress.finished(result_, result);
  result_.run_s = record.run_s = run_s;
  record.result = result;
  if (journal_ && !interrupted()) journal_->add(index, record);
  score(stage_, result_);
}

// In check mode: a report that decides nothing, once for each function.
void StageGrader::note_aside(const CaseResult& result, std::vector<std::string>& of_case) {
  if (result.aside.empty()) return;
  const std::string begin = fmt::format("In check mode, {}: ", result.op);
  if (std::ranges::any_of(result_.notes, [&](const auto& n) { return n.starts_with(begin); })) {
    return;
  }
  of_case.push_back(fmt::format("{}{} This costs no points.", begin, result.aside));
  add_notes({of_case.back()});
}

std::unique_ptr<CheckRun> StageGrader::check_run() const {
  if (!options_.check_again || stage_.device != "gpu") return nullptr;
  std::set<std::string> functions;
  for (const auto& one : cases_) functions.insert(one->head().op);
  return std::make_unique<CheckRun>(kit_, stage_, folder_, files_, files_of(missing_),
                                    functions.size(), options_.reveal_hidden);
}

// The runner starts when a case needs it; if it cannot start, that case fails.
AdjointBaseline StageGrader::adjoint_baseline(Builder& builder, ThreadPool& pool) const {
  if (std::ranges::none_of(cases_,
                           [](const auto& one) { return one->kind() == CaseKind::adjoint; })) {
    return {};
  }
  const BuildResult built = build_baseline(kit_, stage_, builder, pool);
  if (built.status != BuildResult::Status::ok) return AdjointBaseline(built.message);
  return AdjointBaseline(kit_.session_options(stage_, built.library));
}

// nvcc takes seconds, in which the cases run. run_speed() then finds the library in the cache, or
// builds again and tells why it fails. The future's destructor waits for the build.
std::future<void> StageGrader::build_timed_baseline(Builder& builder, ThreadPool& pool) const {
  if (!options_.speed || result_.speed.empty() || !kit_.runs_on_gpu(stage_)) return {};
  return std::async(std::launch::async,
                    [this, &builder, &pool] { build_baseline(kit_, stage_, builder, pool); });
}

// A case with a time of its own, such as a training: never in check mode, where the functions that
// a training is made of have cases of their own.
StageGrader::ApartRun StageGrader::run_apart(Case& one, Builder& builder, ThreadPool& pool) {
  BuildResult plain;
  PartialBuild partial = partial_;
  plain.status = BuildResult::Status::ok;
  plain.library = library_;
  if (in_check_mode()) {
    BuildRequest request = kit_.build_request(stage_, folder_, files_);
    request.partial = true;
    request.stand_ins = files_of(missing_);
    plain = build_or_explain(builder, request, pool);
    partial = PartialBuild(plain, folder_, kit_.starter(stage_));
  }
  if (plain.status != BuildResult::Status::ok) {
    CaseResult failed = pending_result(one.head());
    failed.status = status_of(plain.status);
    failed.message = plain.message;
    if (plain.status == BuildResult::Status::interrupted) failed.left_out = LeftOut::interrupted;
    return {std::move(failed), 0};
  }
  Stage timed = stage_;
  timed.limits.one_case = *one.own_limit();
  SessionOptions session = kit_.session_options(timed, plain.library);
  if (options_.sanitize) use_sanitizers(session, kit_.sanitizing_runner(stage_));
  CaseRunner runner(timed, session, options_.reveal_hidden, std::move(partial));
  CaseResult result = runner.run(one);
  if (const std::string note = shelf_.take_note(); !note.empty()) add_notes({note});
  if (!interrupted()) runner.finish();
  if (const auto forged = runner.take_forged()) result = *forged;
  return {std::move(result), runner.own_time_s()};
}

bool StageGrader::has_speed_to_measure() const {
  if (library_.empty() || !options_.speed || kit_.lacks_gpu(stage_)) return false;
  return std::ranges::any_of(result_.speed, [&](SpeedResult out) {
    const auto speed = std::ranges::find(stage_.speed, out.name, &SpeedCase::name);
    return !held_back(*speed, result_, out) && !known_speed(out.name);
  });
}

void StageGrader::run_speed(Builder& builder, ThreadPool& pool, Progress& progress,
                            const std::function<void(const StageResult&)>& publish) {
  if (library_.empty() || result_.speed.empty()) return;
  const auto set_all = [&](Status status, const std::string& message) {
    for (SpeedResult& s : result_.speed) {
      s.status = status;
      s.message = message;
      if (is_judged(status)) s.pending_points = 0;
    }
  };
  if (!options_.speed) {
    set_all(Status::pending, "Not measured in this run.");
  } else if (kit_.lacks_gpu(stage_)) {
    set_all(Status::pending,
            "Pending: speed is measured on a GPU, and this run graded on the CPU device.");
  } else {
    const BuildResult baseline = build_baseline(kit_, stage_, builder, pool);
    if (baseline.status == BuildResult::Status::interrupted) return;
    if (baseline.status != BuildResult::Status::ok) {
      set_all(Status::grader_error,
              fmt::format("The baseline does not build: {}", baseline.message));
    } else {
      for (SpeedResult& out : result_.speed) {
        if (interrupted()) break;
        const auto speed = std::find_if(stage_.speed.begin(), stage_.speed.end(),
                                        [&](const SpeedCase& s) { return s.name == out.name; });
        if (held_back(*speed, result_, out)) continue;
        if (const SpeedResult* known = known_speed(out.name)) {
          out = *known;
          continue;
        }
        progress.doing(fmt::format("{}: timing {}", stage_.id, speed->title));
        measure_speed(kit_, stage_, *speed, baseline.library, library_, options_.timing, out);
        if (journal_ && !interrupted()) journal_->add(out);
        publish(result_);
      }
    }
  }
  skip_speed_of_what_fails(stage_, result_);
  score(stage_, result_);
  finish();
  publish(result_);
}

void StageGrader::finish() {
  if (!kept_.cases.empty()) sort_as_planned(result_.cases, all_cases_);
  drop_notes_of_what_is_not_missed(missing_, result_);
  result_.status = combine(result_);
  result_.message = partial_.to_mend() + summary_of(result_.cases);
}

}  // namespace convkit
