// SPDX-License-Identifier: MIT
// `run`: calls a student's functions on visible cases without judging them, under a tool that
// watches a program (compute-sanitizer, ncu, nsys, perf, valgrind) or under none.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <system_error>

#include "cli/case_choice.h"
#include "cli/commands.h"
#include "cli/submission_library.h"
#include "cli/work_folder.h"
#include "convkit/kit_error.h"
#include "grade/stored_case.h"
#include "grade/verdict.h"
#include "session/session.h"

namespace convkit {
namespace {

constexpr uint64_t kMostPrinted = 64ull << 20;

std::unique_ptr<Session> started(const SessionOptions& how) try {
  return std::make_unique<Session>(how);
} catch (const std::system_error& error) {
  throw UsageError(fmt::format("{}.", error.what()));
}

// Calls one case. Returns what went wrong, or "".
std::string called(Session& session, const Stage& stage, const CaseSpec& spec) {
  const StoredTrial stored(stage, spec);
  SharedArena inputs(stored.inputs()), outputs(stored.outputs());
  for (size_t i = 0; i < inputs.tensors().size(); ++i) {
    std::ranges::copy(stored.input(i), inputs.bytes(i).begin());
  }
  outputs.poison();
  Answer answer = session.prepare(spec.op, spec.params, inputs, outputs);
  if (answer.kind == Answer::Kind::ok) answer = session.run();
  if (answer.kind == Answer::Kind::ok) return "";
  return verdict_of(answer, stage, spec.op, -1).message;
}

}  // namespace

int run_under(const Kit& kit, const RunOptions& options) {
  const Stage& stage = find_stage(kit.stages, options.stage);
  const WorkFolder work = open_work(kit, stage, options.folder);
  const std::vector<CaseSpec> cases = visible_cases(kit, stage, options.cases);
  SessionOptions how = kit.session_options(stage, build_library(kit, stage, work, true), false);
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
    const std::string problem = called(session, stage, spec);
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

}  // namespace convkit
