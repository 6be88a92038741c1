// SPDX-License-Identifier: MIT
// `grade` sees what `check` sees. A case that passed runs once more on the CPU device in check
// mode, whatever device it passed on; a fault that a report names then costs what it costs in
// `check`. Everything else costs nothing and becomes a note: a time-out, too much memory, another
// result. Of a function that failed, a case or two run so for the cause, which may be hidden behind
// numbers; that changes no verdict. Check mode runs in the submission's own process, so a
// submission can hide from it: it finds mistakes, not attacks.
#pragma once

#include <atomic>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compile/builder.h"
#include "convkit/thread_pool.h"
#include "grade/case_runner.h"
#include "grade/kit.h"
#include "report/result.h"

namespace convkit {

class CheckRun {
 public:
  // `folder` holds the stage's files (relative names in `files`; of them, `stand_ins` are the
  // starter's). For GPU stages. Each of the stage's `functions` has an equal share of the time for
  // all cases, as own_time.h counts it.
  // `reveal_hidden`: staff see what is said of a hidden case.
  CheckRun(const Kit& kit, const Stage& stage, std::filesystem::path folder,
           std::vector<std::string> files, std::vector<std::string> stand_ins, size_t functions,
           bool reveal_hidden);
  // What has not begun yet is dropped.
  ~CheckRun() { stopped_ = true; }
  CheckRun(const CheckRun&) = delete;
  CheckRun& operator=(const CheckRun&) = delete;

  // What cases have found out.
  struct Memory {
    std::set<std::string> at_fault;                          // functions
    std::vector<std::pair<std::string, std::string>> notes;  // function or "", and its note
  };

  // The first trial of a case that has passed, again: all visible cases, a hidden one of each
  // function, which may do otherwise where it knows no input, and all hidden ones of functions
  // that were found at fault. `result` may become WRONG or CRASHED.
  // Builds at the first call.
  void look(Case& one, CaseResult& result, Builder& builder, ThreadPool& pool);

  // The same on a thread of its own, one case after another, while the caller runs the next ones in
  // plain mode. Nothing else here may be called before all of them are there. `one`, `builder` and
  // `pool` must outlive this.
  struct Looked {
    CaseResult result;
    Memory memory;  // after it
  };
  std::future<Looked> look_meanwhile(Case& one, CaseResult result, Builder& builder,
                                     ThreadPool& pool);

  // After the last case: the first visible case of a function that is WRONG or CRASHED, or the
  // second if the first says nothing. If check mode names a fault, the report begins with it; its
  // status stays. `results` are those of `cases`.
  void name_causes(std::span<const std::unique_ptr<Case>> cases, std::span<CaseResult> results,
                   Builder& builder, ThreadPool& pool);

  // What was seen and costs nothing: at most a sentence for each function.
  std::vector<std::string> notes() const;

  // What was built for check mode; empty where nothing was.
  const std::filesystem::path& library() const { return session_.submission; }

  const Memory& memory() const { return memory_; }
  // For a grading that goes on.
  void remember(const Memory& memory) { memory_ = memory; }

 private:
  bool build(Builder& builder, ThreadPool& pool);
  CaseResult run(CaseRunner& runner, Case& one, unsigned most = CaseRunner::kAllTrials);
  // In a fresh process: an earlier case may have left a fault behind.
  CaseResult run_alone(Case& one);
  void note(const std::string& op, const std::string& sentence);

  const Kit kit_;
  Stage stage_;
  double most_s_;  // of one function
  std::filesystem::path folder_;
  std::vector<std::string> files_, stand_ins_;
  bool reveal_hidden_;
  SessionOptions session_;
  PartialBuild partial_;
  std::unique_ptr<CaseRunner> runner_;
  bool given_up_ = false;
  Memory memory_;
  std::map<std::string, double> spent_s_;  // by function
  std::set<std::string> hidden_;           // functions of which a hidden case was looked at
  std::atomic<bool> stopped_ = false;
  ThreadPool thread_{1};  // ends before what its tasks use
};

}  // namespace convkit
