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
#include "grade/mend/change_search.h"
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
  bool watch = false, hint = false, sanitize = false, verbose = false;
  bool mend = false, no_mend = false;
  ChangeSearch* search = nullptr;  // null: another program has it (handed_over.h)
  bool is_reported = false;        // by the program that handed over: only the search is left
};

StageOptions stage_options(const Stage& stage, const CheckOptions& options) {
  StageOptions own;
  const CaseChoice choice = completed(stage, options.choice);
  if (choice.any()) own.wanted = wanted_by(choice);
  own.hidden = false;
  own.speed = false;
  own.sanitize = options.sanitize;
  own.check_mode = true;
  return own;
}

// One check of the work as it is.
class Check {
 public:
  Check(const Kit& kit, const Stage& stage, const CheckOptions& options, Builder& builder,
        ThreadPool& pool)
      : stage_(stage),
        builder_(builder),
        pool_(pool),
        work_(open_work(kit, stage, options.folder)),
        grader_(kit, stage, work_.folder, work_.files, stage_options(stage, options)),
        file_(options.json),
        result_(new_result(kit)) {
    const CaseChoice choice = completed(stage, options.choice);
    if (choice.any() && grader_.result().status != Status::grader_error) {
      must_choose_some(stage, choice, grader_.all_cases());
    }
    result_.submission_name = work_.folder.string();
  }

  const Result& run() {
    result_.interrupted = true;  // until it has ended
    {
      StatusLine status;
      grader_.run_cases(builder_, pool_, status, [&](const StageResult& so_far) {
        result_.stages = {so_far};
        file_.write(result_, false);
      });
    }
    result_.interrupted = interrupted();
    keep();
    return result_;
  }

  const std::vector<CaseResult>& cases() const { return grader_.result().cases; }

  // Behind run(), whose result then holds what was found.
  void look_for_change(ChangeSearch& search, const ChangeLimits& limits, const ChangeNews& news) {
    grader_.look_for_change(search, limits, builder_, pool_, news);
    keep();
  }

 private:
  // Speed is not part of a check.
  void keep() {
    result_.stages = {grader_.result()};
    StageResult& checked = result_.stages.front();
    for (const SpeedResult& speed : checked.speed) checked.pending_points -= speed.pending_points;
    checked.speed.clear();
    checked.max_points -= stage_.speed_points();
    file_.write(result_, true);
  }

  const Stage& stage_;
  Builder& builder_;
  ThreadPool& pool_;
  WorkFolder work_;
  StageGrader grader_;
  ResultFile file_;
  Result result_;
};

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
// file; "" where there is no report.
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
  std::fflush(stdout);
}

// A search of its own accord is for whoever waits for a whole report: not where a hint was asked
// for, or each save is checked, or some cases of a function would speak for all of them.
bool searches(const Kit& kit, const Stage& stage, const CheckOptions& options,
              const StageResult& checked) {
  if (options.mend) return true;
  if (options.no_mend || options.watch || options.hint || options.sanitize) return false;
  if (!options.choice.cases.empty() || !options.choice.group.empty()) return false;
  return kit.course.students_have_mend && !kit.runs_on_gpu(stage) && checked.cases.size() > 0 &&
         !function_untold(checked.cases).empty();
}

// Tells of a search while it runs. Returns whether it found a change.
bool search(const CheckOptions& options, Check& check) {
  bool found = false;
  const auto begins = [&](const CaseResult& one) {
    if (options.mend) {
      fmt::print("Trying small changes of your code, {} (at most {:.0f} s) ...\n", one.op,
                 kWholeSearch.function_s);
    } else {
      fmt::print("{} {}: trying small changes of your code (at most {:.0f} s) ...\n",
                 is_told_in_part(check.cases(), one.op)
                     ? "What is told does not explain all that fails in"
                     : "No known mistake explains",
                 one.op, kShortSearch.function_s);
    }
    std::fflush(stdout);
  };
  const auto ends = [&](bool mends, const std::string& words) {
    found = found || mends;
    fmt::print("{}\n", indented(words, "  "));
    std::fflush(stdout);
  };
  check.look_for_change(*options.search, options.mend ? kWholeSearch : kShortSearch,
                        {begins, ends});
  return found;
}

// How small changes are tried here, or more of them; "" where they need not, or may not be.
std::string way_to_mend(const Kit& kit, const Stage& stage, bool is_over) {
  if (is_over || !kit.course.students_have_mend) return "";
  return kit.runs_on_gpu(stage) ? "--device cpu --mend" : "--mend";
}

// Throws UsageError where options exclude each other on this stage.
void must_suit(const Kit& kit, const Stage& stage, const CheckOptions& options) {
  if (options.sanitize && stage.device == "gpu") {
    throw UsageError(
        fmt::format("--sanitize is for CPU stages. `check {0} --device cpu` already watches every "
                    "access of the kernels; on a GPU, `run {0} -- compute-sanitizer` does.",
                    stage.number));
  }
  if (options.mend && options.no_mend) {
    throw UsageError("--mend and --no-mend exclude each other.");
  }
  if (options.mend && !kit.course.students_have_mend) {
    throw UsageError("This course does not try changes of your code (course.toml says so).");
  }
  if (options.mend && options.sanitize) {
    throw UsageError("--mend calls your functions without sanitizers: leave one of the two out.");
  }
  if (options.mend && kit.runs_on_gpu(stage)) {
    throw UsageError(fmt::format(
        "--mend tries changes on the CPU device: `check {} --device cpu --mend`.", stage.number));
  }
}

void report(const Kit& kit, const Stage& stage, const CheckOptions& options,
            const std::set<std::string>& saved, Result result) {
  if (put_first(stage, saved, result)) {
    fmt::print("You saved {}: {} cases come first.\n", fmt::join(saved, ", "),
               saved.size() == 1 ? "its" : "their");
  }
  const fs::path reports =
      options.sanitize && !options.verbose ? put_reports_aside(kit, stage, result) : fs::path();
  show(kit, stage, options, result);
  if (!reports.empty()) fmt::print("The sanitizer's whole report is in {}.\n", reports.string());
  if (!options.choice.any() && options.folder.empty() && !result.interrupted) {
    remember_check(kit, stage, result.stages.front());
  }
}

// `words`: of the command, for the program that has the search.
int run_check(const Kit& kit, const Stage& stage, const CheckOptions& options,
              const std::vector<std::string>& words) {
  must_be_writable(options.json, Format::result);
  const std::filesystem::path folder = options.folder.empty() ? kit.work(stage) : options.folder;
  Builder builder = kit.builder();
  ThreadPool pool;
  SaveWatch saves(folder);
  const auto check = [&] {
    Check one(kit, stage, options, builder, pool);
    const Result& result = one.run();
    if (!options.is_reported) report(kit, stage, options, saves.saved(), result);
    if (!result.interrupted && !result.stages.empty() && !options.hint) {
      const StageResult& checked = result.stages.front();
      const bool is_search = searches(kit, stage, options, checked);
      if (is_search && !options.search) hand_over(kit, kMend, kSearchOfCheck, words);
      const bool found = is_search && search(options, one);
      const Asked asked = {options.choice.any(), way_to_mend(kit, stage, found || options.mend)};
      say("{}", next_step(stage, checked, asked));
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
  CheckCommand(const char* name, ChangeSearch* search)
      : CliCommand(name, "check your work on the visible cases",
                   "./convkit check 1 --case one_channel_3x3") {
    o_.search = search;
    o_.is_reported = name == std::string(kSearchOfCheck);
  }

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
                 "try small changes of your files, for two minutes a function, until one mends it");
    options.flag("--no-mend", o_.no_mend,
                 "try none, not even for 20 s where no known mistake explains an output");
    options.flag("--sanitize", o_.sanitize,
                 "with address and undefined-behaviour sanitizers: a crash names your line");
    options.flag("-v,--verbose", o_.verbose, "every case, and what your code printed");
  }
  void read_words(const std::vector<std::string>& words) override { words_ = words; }
  int run(Kit& kit) override {
    device_.apply(kit, {o_.stage});
    const Stage& stage = kit.stage(o_.stage);
    must_suit(kit, stage, o_);
    if (o_.mend && !o_.search) hand_over(kit, kMend, name(), words_);
    return run_check(kit, stage, o_, words_);
  }

 private:
  std::vector<std::string> words_;
  DeviceChoice device_;
  CheckOptions o_;
};

}  // namespace

std::unique_ptr<CliCommand> check_command(const char* name, ChangeSearch* search) {
  return std::make_unique<CheckCommand>(name, search);
}

}  // namespace convkit
