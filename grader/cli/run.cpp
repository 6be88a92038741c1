// SPDX-License-Identifier: MIT
// `run`: calls a student's functions on visible cases without judging them, under a tool that
// watches a program (compute-sanitizer, ncu, nsys, perf, valgrind) or under none.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <system_error>

#include "cli/case_choice.h"
#include "cli/commands.h"
#include "cli/device_choice.h"
#include "convkit/kit_error.h"
#include "grade/verdict.h"
#include "session/session.h"
#include "work/submission_library.h"
#include "work/work_folder.h"

namespace convkit {
namespace {

struct RunOptions {
  std::string stage;
  std::filesystem::path folder;    // empty: the student's work folder
  std::vector<std::string> cases;  // empty: all visible ones
  std::vector<std::string> tool;   // the words before the program's name, if any
  unsigned seconds = 600;          // for one case
};

constexpr uint64_t kMostPrinted = 64ull << 20;

std::unique_ptr<Session> started(const SessionOptions& how) try {
  return std::make_unique<Session>(how);
} catch (const std::system_error& error) {
  throw UsageError(fmt::format("{}.", error.what()));
}

int run_under(const Kit& kit, const RunOptions& options) {
  const Stage& stage = kit.stage(options.stage);
  const WorkFolder work = open_work(kit, stage, options.folder);
  const std::vector<CaseSpec> cases = visible_cases(kit, stage, options.cases);
  SessionOptions how = kit.session_options(stage, build_library(kit, stage, work, true));
  how.watch(options.tool);
  how.limits.wall = std::chrono::seconds(options.seconds);
  how.limits.output_bytes = kMostPrinted;
  const auto runner = started(how);
  Session& session = *runner;
  if (session.start().kind != Answer::Kind::ok) {
    fmt::print("{}\n", verdict_of(session.start(), stage, "", -1).message);
  }
  size_t ran = 0;
  for (const CaseSpec& spec : cases) {
    if (!session.alive() || interrupted()) break;
    const std::string problem = problem_of(call_case(session, stage, spec), stage, spec);
    if (problem.empty()) {
      ++ran;
    } else {
      fmt::print("{}: {}\n", spec.name, problem);
    }
  }
  const Ending ending = session.finish();
  std::fwrite(session.output().data(), 1, session.output().size(), stdout);
  fmt::print("{}: {} of {} cases ran to their end. Nothing was judged.\n", stage.id, ran,
             cases.size());
  if (interrupted()) return 130;
  const bool good = ending.kind == Ending::Kind::exited && ending.code == 0 && ran == cases.size();
  return good ? 0 : 1;
}

class RunCommand final : public CliCommand {
 public:
  RunCommand()
      : CliCommand("run", "call your work on visible cases under a tool such as a profiler",
                   "./convkit run 3 --case four_tiles -- compute-sanitizer --tool racecheck") {}

  void declare(const Options& options) override {
    device_.declare(options);
    options.value("stage", o_.stage, kStageHelp).required();
    // One name each, or "--" would end the list of names and not the options.
    options.value("--case", o_.cases, "this case only (may be repeated)").one_value_each();
    options.value("--dir", o_.folder, kFolderHelp);
    options.value("--seconds", o_.seconds, "time that one case may take (default: 600)");
    options.value("tool", o_.tool, "after --: the tool and its options");
  }
  int run(Kit& kit) override {
    device_.apply(kit, {o_.stage});
    return run_under(kit, o_);
  }

 private:
  DeviceChoice device_;
  RunOptions o_;
};

}  // namespace

std::unique_ptr<CliCommand> run_command() {
  return std::make_unique<RunCommand>();
}

}  // namespace convkit
