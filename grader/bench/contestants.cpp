// SPDX-License-Identifier: MIT
#include "bench/contestants.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>

#include "bench/counted_run.h"
#include "compile/object_key.h"
#include "convkit/kit_error.h"
#include "grade/verdict.h"
#include "machine/console.h"
#include "work/work_folder.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

// A peer says how it is linked in its own text: "Link with -ldnnl."
std::vector<std::string> link_flags_of(const fs::path& source) {
  std::ifstream in(source);
  std::string word;
  std::vector<std::string> flags;
  while (flags.size() < 4 && in >> word) {
    if (word.rfind("-l", 0) != 0) continue;
    while (!word.empty() && (word.back() == '.' || word.back() == ',')) word.pop_back();
    flags.push_back(word);
  }
  return flags;
}

}  // namespace

std::optional<BenchSubject> bench_subject(const Kit& kit, const Stage& stage,
                                          const BenchOptions& options) {
  // Without work of one's own, the reference solution can still be timed.
  if (options.folder.empty() && options.solution && !fs::exists(kit.work(stage)) &&
      fs::is_directory(kit.solution(stage))) {
    return std::nullopt;
  }
  const WorkFolder work = open_work(kit, stage, options.folder);
  return BenchSubject{options.folder.empty() ? "yours" : options.folder.filename().string(),
                      work.folder};
}

SimtMode bench_mode(const Kit& kit, const Stage& stage) {
  return kit.lacks_gpu(stage) ? SimtMode::check : SimtMode::plain;
}

std::vector<SpeedCase> those_with_points_first(std::vector<SpeedCase> shapes) {
  std::ranges::stable_partition(shapes, [](const SpeedCase& shape) { return shape.points > 0; });
  return shapes;
}

BuildResult BenchContestants::build(const std::string& name, const BuildRequest& request) {
  StatusLine status;
  status.doing(fmt::format("compiling {}", name));
  return builder_.build(request, pool_);
}

BenchContestant BenchContestants::submission(const std::string& name, const fs::path& folder) {
  const BuildResult built =
      build(name, kit_.build_request(stage_, folder, list_files(folder), mode_));
  if (built.status != BuildResult::Status::ok) {
    throw UsageError(fmt::format("{} does not build: {}", name, built.message));
  }
  return {name, built.library, false};
}

std::optional<BenchContestant> BenchContestants::peer(const fs::path& source) {
  const std::string name = source.stem().string();
  BuildRequest request =
      kit_.build_request(stage_, source.parent_path(), {source.filename().string()}, mode_);
  const std::vector<std::string> flags = link_flags_of(source);
  request.link_flags.insert(request.link_flags.end(), flags.begin(), flags.end());
  request.forbidden_symbols.clear();
  const BuildResult built = build(name, request);
  if (built.status == BuildResult::Status::ok) return BenchContestant{name, built.library, true};
  fmt::print("{} is left out: {}\n", name, built.message);
  return std::nullopt;
}

std::vector<BenchContestant> BenchContestants::all(const BenchOptions& options) {
  std::vector<BenchContestant> contestants = {
      submission("baseline", stage_.directory / "baseline")};
  if (const auto subject = bench_subject(kit_, stage_, options)) {
    contestants.push_back(submission(subject->name, subject->folder));
  }
  if (options.solution && fs::is_directory(kit_.solution(stage_))) {
    contestants.push_back(submission("solution", kit_.solution(stage_)));
  } else if (options.solution) {
    fmt::print("solution is left out: this copy of the kit has no solutions.\n");
  }
  const fs::path peers = stage_.directory / "peers";
  // What a vendor's library does cannot be counted.
  if (!options.peers || mode_ != SimtMode::plain || !fs::is_directory(peers)) return contestants;
  for (const std::string& file : list_files(peers)) {
    if (!is_source(file)) continue;
    if (auto built = peer(peers / file)) contestants.push_back(std::move(*built));
  }
  return contestants;
}

SessionOptions BenchContestants::session(const BenchContestant& contestant) const {
  SessionOptions session = kit_.session_options(stage_, contestant.library, mode_);
  // Big shapes of a slow submission take longer than a case may.
  session.limits.wall = std::chrono::seconds(mode_ == SimtMode::plain ? 60 : 120);
  session.open_libraries = contestant.peer;
  return session;
}

SessionOptions BenchContestants::timed_session(const BenchContestant& contestant) const {
  SessionOptions options = session(contestant);
  options.memory_owner = kit_.timing_memory_owner(stage_);
  return options;
}

bool is_not_started(const Timing& timing) {
  return timing.wrong && timing.message == kWroteNothing && !timing.todo.empty();
}

std::string problem_of(const Timing& timing, const Stage& stage, const std::string& op) {
  if (is_not_started(timing)) return not_started_sentence(timing.todo, op);
  if (timing.wrong) return timing.message;
  if (timing.outcome == Answer::Kind::ok) return "";
  return verdict_of(timing.failure, stage, op, -1).message;
}

}  // namespace convkit
