// SPDX-License-Identifier: MIT
// `check N`: the visible cases on the student's own work.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cli/after_check.h"
#include "cli/case_choice.h"
#include "cli/commands.h"
#include "cli/device_choice.h"
#include "cli/handed_over.h"
#include "convkit/atomic_file.h"
#include "convkit/kit_error.h"
#include "grade/grade.h"
#include "machine/console.h"
#include "machine/output_file.h"
#include "report/report_terminal.h"
#include "work/watch.h"
#include "work/work_folder.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

struct CheckOptions {
  std::string stage;
  std::filesystem::path folder;  // empty: the student's work folder
  CaseChoice choice;
  std::filesystem::path json;
  bool watch = false, hint = false, mend = false, sanitize = false, verbose = false;
  ChangeSearch* search = nullptr;  // where --mend was given
};

Result check_once(const Kit& kit, const Stage& stage, const CheckOptions& options, Builder& builder,
                  ThreadPool& pool) {
  const WorkFolder work = open_work(kit, stage, options.folder);
  StageOptions stage_options;
  const CaseChoice choice = completed(stage, options.choice);
  if (choice.any()) stage_options.wanted = wanted_by(choice);
  stage_options.hidden = false;
  stage_options.speed = false;
  stage_options.sanitize = options.sanitize;
  stage_options.check_mode = true;
  stage_options.look_for_change = options.search;
  StageGrader grader(kit, stage, work.folder, work.files, stage_options);
  if (choice.any() && grader.result().status != Status::grader_error) {
    must_choose_some(stage, choice, grader.all_cases());
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

// Lines of a sanitizer's report that tell most: what happened, where in the student's files, and to
// which memory.
std::vector<std::string> telling_lines(const std::string& printed, const Stage& stage) {
  constexpr size_t kMost = 3;
  std::vector<std::string> telling;
  std::istringstream lines(printed);
  bool begun = false, placed = false;
  for (std::string line; std::getline(lines, line) && telling.size() < kMost;) {
    const auto has = [&](const std::string& words) { return line.find(words) != line.npos; };
    const bool begins = has("ERROR: AddressSanitizer") || has(": runtime error: ");
    const bool is_place =
        begun && !placed && has("#") && std::ranges::any_of(stage.files, [&](const std::string& f) {
          return has("/" + f + ":") || has(" " + f + ":");
        });
    if (begins || is_place || (begun && has(" is located "))) telling.push_back(line);
    begun = begun || begins;
    placed = placed || is_place;
  }
  return telling;
}

// A report fills pages: a file takes it, and of what was printed those lines stay. Returns the
// file;
// "" where there is no report.
fs::path put_reports_aside(const Kit& kit, const Stage& stage, Result& result) {
  std::string reports;
  for (StageResult& part : result.stages) {
    for (CaseResult& c : part.cases) {
      const std::vector<std::string> telling = telling_lines(c.printed, stage);
      if (telling.empty()) continue;
      reports += fmt::format("{}\n{}\n\n", c.name, c.printed);
      c.printed = fmt::format("{}\n", fmt::join(telling, "\n"));
    }
  }
  if (reports.empty()) return {};
  const fs::path file = kit.work(stage).parent_path() / "results" / (stage.id + "-sanitizer.txt");
  fs::create_directories(file.parent_path());
  write_whole(file, reports);
  return file;
}

// "a, b and 3 more"
std::string named(const std::vector<std::string>& cases) {
  constexpr size_t kMost = 8;
  const size_t shown = cases.size() > kMost + 1 ? kMost : cases.size();
  std::string text = fmt::format(
      "{}", fmt::join(cases.begin(), cases.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (shown < cases.size()) text += fmt::format(" and {} more", cases.size() - shown);
  return text;
}

void tell(const Changes& changes) {
  if (!changes.no_longer_passing.empty()) {
    fmt::print("No longer passing since the last check: {}.\n", named(changes.no_longer_passing));
  }
  if (!changes.newly_passing.empty()) {
    fmt::print("Newly passing since the last check: {}.\n", named(changes.newly_passing));
  }
}

void show(const Kit& kit, const Stage& stage, const CheckOptions& options, const Result& result) {
  View view;
  view.colour = use_colour();
  view.all_cases = options.verbose;
  view.printed = options.verbose || !options.choice.cases.empty() || options.sanitize;
  view.chosen = options.choice.any();
  // Behind pages of a report nobody looks for a hint.
  view.max_failures = options.verbose ? 1000 : options.hint ? 0 : 3;
  view.speed_points = stage.speed_points();
  view.reproduce = as_typed(fmt::format("./convkit check {} --case {{}}", stage.number));
  std::fputs(terminal_view(result, view).c_str(), stdout);
  // A sanitizer finds what passes elsewhere, and another folder is another work.
  if (options.folder.empty() && !options.sanitize && !result.stages.empty()) {
    tell(changes_since_last_check(kit, stage, result.stages.front()));
    remember_cases(kit, stage, result.stages.front());
  }
  if (options.hint && !result.stages.empty()) {
    give_hint(kit, stage, completed(stage, options.choice).task, result.stages.front());
  }
  if (!options.hint && !result.stages.empty() && !result.interrupted) {
    const char* how = kit.runs_on_gpu(stage) ? "--device cpu --mend" : "--mend";
    const Asked asked = {options.choice.any(), options.mend ? "" : how};
    say("{}", next_step(stage, result.stages.front(), asked));
  }
  std::fflush(stdout);
}

// Throws UsageError where options exclude each other on this stage.
void must_suit(const Kit& kit, const Stage& stage, const CheckOptions& options) {
  if (options.sanitize && stage.device == "gpu") {
    throw UsageError(
        fmt::format("--sanitize is for CPU stages. `check {0} --device cpu` already watches every "
                    "access of the kernels; on a GPU, `run {0} -- compute-sanitizer` does.",
                    stage.number));
  }
  if (options.mend && options.sanitize) {
    throw UsageError("--mend calls your functions without sanitizers: leave one of the two out.");
  }
  if (options.mend && kit.runs_on_gpu(stage)) {
    throw UsageError(fmt::format(
        "--mend tries changes on the CPU device: `check {} --device cpu --mend`.", stage.number));
  }
}

int run_check(const Kit& kit, const Stage& stage, const CheckOptions& options) {
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
    const fs::path reports =
        options.sanitize && !options.verbose ? put_reports_aside(kit, stage, result) : fs::path();
    show(kit, stage, options, result);
    if (!reports.empty()) fmt::print("The sanitizer's whole report is in {}.\n", reports.string());
    if (!options.choice.any() && options.folder.empty() && !result.interrupted) {
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
  explicit CheckCommand(ChangeSearch* search)
      : CliCommand("check", "check your work on the visible cases",
                   "./convkit check 1 --case one_channel_3x3"),
        search_(search) {}

  void declare(const Options& options) override {
    device_.declare(options);
    options.value("stage", o_.stage, kStageHelp).required();
    options.value("--case", o_.choice.cases, "this case only (may be repeated)").one_value_each();
    options.value("--task", o_.choice.task, "the cases of this task only, such as 01.3")
        .not_empty();
    options.value("--group", o_.choice.group, "the cases of this group only").not_empty();
    options.value("--dir", o_.folder, kFolderHelp);
    options.value("--json", o_.json, "write the result here").not_empty();
    options.flag("--watch", o_.watch, "check again whenever a file is saved");
    options.flag("--hint", o_.hint,
                 "one more hint for the first task that fails, or for that of --task");
    options.flag("--mend", o_.mend,
                 "try small changes of your files, for a minute a function, until one mends it");
    options.flag("--sanitize", o_.sanitize,
                 "with address and undefined-behaviour sanitizers: a crash names your line");
    options.flag("-v,--verbose", o_.verbose, "every case, and what your code printed");
  }
  void read_words(const std::vector<std::string>& words) override { words_ = words; }
  int run(Kit& kit) override {
    device_.apply(kit, {o_.stage});
    const Stage& stage = kit.stage(o_.stage);
    must_suit(kit, stage, o_);
    if (o_.mend && !search_) hand_over(kit, kWorkbench, name(), words_);
    o_.search = o_.mend ? search_ : nullptr;
    return run_check(kit, stage, o_);
  }

 private:
  ChangeSearch* search_;
  std::vector<std::string> words_;
  DeviceChoice device_;
  CheckOptions o_;
};

}  // namespace

std::unique_ptr<CliCommand> check_command(ChangeSearch* search) {
  return std::make_unique<CheckCommand>(search);
}

}  // namespace convkit
