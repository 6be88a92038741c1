// SPDX-License-Identifier: MIT
// `check N`: the visible cases on the student's own work.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "cli/case_choice.h"
#include "cli/commands.h"
#include "cli/device_choice.h"
#include "convkit/kit_error.h"
#include "grade/grade.h"
#include "machine/console.h"
#include "machine/output_file.h"
#include "report/report_terminal.h"
#include "work/watch.h"
#include "work/work_folder.h"

namespace convkit {
namespace {

struct CheckOptions {
  std::string stage;
  std::filesystem::path folder;  // empty: the student's work folder
  std::string only_case;
  std::filesystem::path json;
  bool watch = false, hint = false, sanitize = false, verbose = false;
};

// One hint for the first task that does not pass, a step further than the last time.
void give_hint(const Kit& kit, const Stage& stage, const StageResult& result) {
  const auto failing = std::find_if(result.cases.begin(), result.cases.end(),
                                    [](const CaseResult& c) { return c.status != Status::pass; });
  if (failing == result.cases.end()) {
    fmt::print("\nNothing fails, so there is no hint to give.\n");
    return;
  }
  const Task* task = stage.task(failing->task);
  if (!task || task->hints.empty()) {
    fmt::print("\nThere is no hint for task {}.\n", failing->task);
    return;
  }
  auto shown = hints_shown(kit, stage);
  const unsigned step =
      std::min<unsigned>(shown[task->id], static_cast<unsigned>(task->hints.size()) - 1);
  fmt::print("\nHint {} of {} for task {} ({}, {}):\n  {}\n", step + 1, task->hints.size(),
             task->id, task->title, task->file, task->hints[step]);
  shown[task->id] = step + 1;
  remember_hints(kit, stage, shown);
}

Result check_once(const Kit& kit, const Stage& stage, const CheckOptions& options, Builder& builder,
                  ThreadPool& pool) {
  const WorkFolder work = open_work(kit, stage, options.folder);
  StageOptions stage_options;
  stage_options.only_case = options.only_case;
  stage_options.hidden = false;
  stage_options.speed = false;
  stage_options.sanitize = options.sanitize;
  stage_options.check_mode = true;
  StageGrader grader(kit, stage, work.folder, work.files, stage_options);
  if (!options.only_case.empty() && grader.result().cases.empty() &&
      grader.result().status != Status::grader_error) {
    throw UsageError(no_such_case(stage, options.only_case, grader.case_names()));
  }
  Result result = new_result(kit);
  result.submission_name = work.folder.string();
  result.interrupted = true;  // until it has ended
  ResultFile file(options.json);
  {
    StatusLine status;
    grader.run_cases(builder, pool, status, [&](const StageResult& so_far) {
      result.stages = {so_far};
      file.write(result, false);
    });
  }
  result.stages = {grader.result()};
  result.interrupted = interrupted();
  // Speed is not part of a check.
  StageResult& checked = result.stages.front();
  for (const SpeedResult& speed : checked.speed) checked.pending_points -= speed.pending_points;
  checked.speed.clear();
  checked.max_points -= stage.speed_points();
  file.write(result, true);
  return result;
}

// Puts the cases of the tasks in these files first. False: there are none.
bool put_first(const Stage& stage, const std::set<std::string>& files, Result& result) {
  if (result.stages.empty()) return false;
  const auto concerned = [&](const CaseResult& c) {
    const Task* task = stage.task(c.task);
    return task && files.contains(task->file);
  };
  std::vector<CaseResult>& cases = result.stages.front().cases;
  return std::stable_partition(cases.begin(), cases.end(), concerned) != cases.begin();
}

void show(const Kit& kit, const Stage& stage, const CheckOptions& options, const Result& result) {
  View view;
  view.colour = use_colour();
  view.all_cases = options.verbose;
  view.printed = options.verbose || !options.only_case.empty() || options.sanitize;
  view.max_failures = options.verbose ? 1000 : 3;
  view.reproduce = as_typed(fmt::format("./convkit check {} --case {{}}", stage.number));
  std::fputs(terminal_view(result, view).c_str(), stdout);
  if (options.hint && !result.stages.empty()) give_hint(kit, stage, result.stages.front());
  if (result.exit_code() == 0 && options.only_case.empty()) {
    say("Every visible case passes. Next: ./convkit bench {0}, then ./convkit submit {0}\n",
        stage.number);
  }
  std::fflush(stdout);
}

int run_check(const Kit& kit, const CheckOptions& options) {
  const Stage& stage = kit.stage(options.stage);
  if (options.sanitize && stage.device == "gpu") {
    throw UsageError(
        fmt::format("--sanitize is for CPU stages. `check {0} --device cpu` already watches every "
                    "access of the kernels; on a GPU, `run {0} -- compute-sanitizer` does.",
                    stage.number));
  }
  must_be_writable(options.json, Format::result);
  const std::filesystem::path folder = options.folder.empty() ? kit.work(stage) : options.folder;
  Builder builder = kit.builder();
  ThreadPool pool;
  SaveWatch saves(folder);
  const auto check = [&] {
    Result result = check_once(kit, stage, options, builder, pool);
    if (put_first(stage, saves.saved(), result)) {
      fmt::print("You saved {}: {} cases come first.\n", fmt::join(saves.saved(), ", "),
                 saves.saved().size() == 1 ? "its" : "their");
    }
    show(kit, stage, options, result);
    if (options.only_case.empty() && options.folder.empty() && !result.interrupted) {
      remember_check(kit, stage, result.stages.front());
    }
    return result.exit_code();
  };
  int code = check();
  while (options.watch) {
    fmt::print("\nWatching {} (Ctrl-C ends).\n", folder.string());
    std::fflush(stdout);
    if (!saves.wait()) break;
    if (use_colour()) std::fputs("\x1b[2J\x1b[H", stdout);
    try {
      code = check();
    } catch (const UsageError& error) {  // do not stop for a file that is renamed for a moment
      fmt::print("{}\n", error.what());
    }
  }
  return code;
}

class CheckCommand final : public CliCommand {
 public:
  CheckCommand()
      : CliCommand("check", "check your work on the visible cases",
                   "./convkit check 1 --case one_channel_3x3") {}

  void declare(const Options& options) override {
    device_.declare(options);
    options.value("stage", o_.stage, kStageHelp).required();
    options.value("--case", o_.only_case, "this case only");
    options.value("--dir", o_.folder, kFolderHelp);
    options.value("--json", o_.json, "write the result here").not_empty();
    options.flag("--watch", o_.watch, "check again whenever a file is saved");
    options.flag("--hint", o_.hint, "one more hint for the first task that fails");
    options.flag("--sanitize", o_.sanitize,
                 "with address and undefined-behaviour sanitizers: a crash names your line");
    options.flag("-v,--verbose", o_.verbose, "every case, and what your code printed");
  }
  int run(Kit& kit) override {
    device_.apply(kit, {o_.stage});
    return run_check(kit, o_);
  }

 private:
  DeviceChoice device_;
  CheckOptions o_;
};

}  // namespace

std::unique_ptr<CliCommand> check_command() {
  return std::make_unique<CheckCommand>();
}

}  // namespace convkit
