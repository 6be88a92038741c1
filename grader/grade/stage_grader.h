// SPDX-License-Identifier: MIT
// Grades one stage of a submission: build, cases, and, alone on the machine, speed.
#pragma once

#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compile/warnings.h"
#include "grade/adjoint/adjoint_case.h"
#include "grade/case_runner.h"
#include "grade/check_run.h"
#include "grade/earlier_verdicts.h"
#include "grade/journal.h"
#include "grade/kit.h"
#include "grade/mend/change_search.h"
#include "grade/partial_build.h"
#include "grade/progress.h"
#include "grade/speed/speed_runner.h"
#include "grade/speed/stage_speed.h"
#include "grade/stage_build.h"
#include "grade/time_budget.h"
#include "grade/training/training_case.h"
#include "report/result.h"
#include "stage/cases.h"

namespace convkit {

struct StageOptions {
  // Which cases; empty: all of them. No speed is measured otherwise.
  std::function<bool(const CaseHead&)> wanted = {};
  std::string only_op;  // "": all; else only the cases of this op
  // Whether a case has shown all that is asked: the others then stay PENDING.
  std::function<bool(const CaseResult&)> enough = {};
  CaseRunner::SeeOutputs see_outputs = {};  // of stored cases, as they come
  bool hidden = true;                       // grade the hidden cases where there are any
  bool reveal_hidden = false;               // staff see what hidden cases say
  bool speed = true;
  bool check_mode = false;   // GPU stages on the CPU device: find races and bad accesses, too
  bool check_again = false;  // GPU stages: what passed runs in check mode, too (check_run.h)
  bool sanitize = false;     // build and run under sanitizers, unconfined; for `check` only
  bool training = true;      // with the cases of [[training]]
  std::string nonce;         // what trainings ask follows from it; the students' own checks have ""
  TimingPlan timing = {};    // of each speed entry
};

class StageGrader {
 public:
  // `folder` holds the stage's files (relative names in `files`).
  StageGrader(const Kit& kit, const Stage& stage, std::filesystem::path folder,
              std::vector<std::string> files, StageOptions options);
  // Its cases refer to what they share.
  StageGrader(const StageGrader&) = delete;
  StageGrader& operator=(const StageGrader&) = delete;

  // Where cases and timings are kept as they end, and taken from where an earlier run kept them. It
  // must outlive this.
  void keep_in(StageJournal& journal) { journal_ = &journal; }

  // Verdicts that hold without a run. Before anything has run, and before planned().
  void keep(KeptVerdicts kept);
  // Into the journal, so that a grading that goes on has them.
  void write_kept() const { journal_->add(kept_); }

  // Notes about the folder, made before anything has run.
  void add_notes(const std::vector<std::string>& notes);

  // Files that the starter's stand in for. Each has its note until all that is to do in it passes.
  void add_missing(std::vector<MissingFile> files);

  // Every case and speed entry with status PENDING: what a result says before anything has run.
  StageResult planned() const;

  // Compiles and runs the cases. `publish` is called with the state so far after each step.
  void run_cases(Builder& builder, ThreadPool& pool, Progress& progress,
                 const std::function<void(const StageResult&)>& publish);
  // Whether run_speed() would time anything: all cases have run, and what is to be timed is right.
  bool has_speed_to_measure() const;
  // Times what was found right. Nothing else should run meanwhile.
  void run_speed(Builder& builder, ThreadPool& pool, Progress& progress,
                 const std::function<void(const StageResult&)>& publish);

  // For changes that mend a function (mend/change_search.h), behind run_cases(), as far as it got.
  void look_for_change(ChangeSearch& search, const ChangeLimits& limits, Builder& builder,
                       ThreadPool& pool, const ChangeNews& news);

  const StageResult& result() const { return result_; }
  // All there are, whatever options.wanted asks for.
  const std::vector<CaseHead>& all_cases() const { return all_cases_; }

 private:
  // GPU stages on the CPU device: the cases themselves, and not once more.
  SimtMode mode() const { return in_check_mode() ? SimtMode::check : SimtMode::plain; }
  bool in_check_mode() const { return options_.check_mode && kit_.lacks_gpu(stage_); }
  void take_cases(const std::filesystem::path& folder, bool hidden);
  bool build(Builder& builder, ThreadPool& pool, Progress& progress);
  void settle(size_t index, CaseRecord record, double run_s, Progress& progress);
  AdjointBaseline adjoint_baseline(Builder& builder, ThreadPool& pool) const;
  std::future<void> build_timed_baseline(Builder& builder, ThreadPool& pool) const;
  struct ApartRun {
    CaseResult result;
    double own_s = 0;  // of its runner (Session::own_time_s)
  };
  ApartRun run_apart(Case& one, Builder& builder, ThreadPool& pool);
  std::span<CaseResult> results_of_runs() { return std::span(result_.cases).first(cases_.size()); }
  const SpeedResult* known_speed(const std::string& name) const;
  void finish();
  void skip_all(const std::string& why);
  void leave_out(std::span<const size_t> rest, const TimeBudget::Cut& cut);
  void replace_case(const CaseResult& result);
  std::unique_ptr<CheckRun> check_run() const;
  void note_aside(const CaseResult& result, std::vector<std::string>& of_case);
  CaseRecord run_one(size_t index, CaseRunner& runner, Builder& builder, ThreadPool& pool);
  bool take_known(size_t index, CaseRunner& runner, CheckRun* again);

  const Kit& kit_;
  const Stage& stage_;
  std::filesystem::path folder_;
  std::vector<std::string> files_;
  StageOptions options_;
  AdjointBaseline baseline_;
  TrainingShelf shelf_;
  std::vector<std::unique_ptr<Case>> cases_;  // to run, in the order of the result
  std::vector<CaseHead> all_cases_;
  KeptVerdicts kept_;  // in the result, its cases behind those of cases_ until all have ended
  std::filesystem::path library_;
  PartialBuild partial_;
  std::vector<Warning> warnings_;  // of the compiler
  TimeBudget budget_;
  std::vector<MissingFile> missing_;
  StageJournal* journal_ = nullptr;
  StageResult result_;
};

}  // namespace convkit
