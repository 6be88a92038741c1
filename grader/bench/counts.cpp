// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>

#include "bench/bench.h"
#include "bench/contestants.h"
#include "bench/counted_run.h"
#include "bench/json_view.h"
#include "bench/terminal_view.h"
#include "convkit/atomic_file.h"
#include "process/process.h"

namespace convkit {
namespace {

// The kit's own code may fail here, too; that is not the fault of a function of the submission.
constexpr const char* kBaseline = "baseline";
// A shape that is not done by then is left out.
using Clock = BenchOptions::Clock;
using Deadline = std::optional<Clock::time_point>;

// With fewer rows than contestants where the time was up.
CountedShapeRows counted_rows(const Stage& stage, const SpeedCase& speed,
                              const BenchContestants& build,
                              const std::vector<BenchContestant>& contestants,
                              const Deadline& ends_by) {
  CountedShapeRows shape{speed.name, speed.title, counted_shape_text(speed), {}, speed.points};
  for (const BenchContestant& contestant : contestants) {
    CountedCode code;
    code.name = contestant.name;
    SessionOptions session = build.session(contestant);
    if (ends_by) {
      const auto left = std::chrono::ceil<std::chrono::seconds>(*ends_by - Clock::now());
      if (left.count() <= 0) break;
      session.limits.wall = std::min<std::chrono::milliseconds>(session.limits.wall, left);
    }
    code.counted = count_run(stage, session, speed.op, counted_shape(speed));
    if (ends_by && Clock::now() >= *ends_by && !code.counted.problem.empty()) break;
    if (code.name == kBaseline && !code.counted.problem.empty()) {
      code.counted.problem = "the kit's own code: " + code.counted.problem;
    }
    code.library_only = code.counted.of("launches") == 0 && !stage.libraries.empty();
    shape.rows.push_back(std::move(code));
  }
  return shape;
}

}  // namespace

int bench_counts(const Kit& kit, const Stage& stage, const BenchOptions& options) {
  BenchCounts result{kit.version, stage.id, {}};
  fmt::print("{}", heading(result));
  BenchContestants build(kit, stage, SimtMode::check);
  const std::vector<BenchContestant> contestants = build.all(options);
  const auto ends_by = options.end_from_now();
  std::vector<std::string> left_out;
  std::set<std::string> not_started;  // functions of which there is nothing to count
  for (const SpeedCase& speed : those_with_points_first(stage.speed)) {
    if (!options.wants(speed.name)) continue;
    if (interrupted()) break;
    if (not_started.contains(speed.op)) continue;
    if (ends_by && Clock::now() > *ends_by) {
      left_out.push_back(speed.name);
      continue;
    }
    auto rows = counted_rows(stage, speed, build, contestants, ends_by);
    if (rows.rows.size() < contestants.size()) left_out.push_back(speed.name);
    if (rows.rows.empty()) continue;
    result.shapes.push_back(std::move(rows));
    const auto is_missing = [](const CountedCode& code) {
      return code.name != kBaseline && code.counted.not_started;
    };
    const auto& counted = result.shapes.back().rows;
    const auto missing = static_cast<size_t>(std::ranges::count_if(counted, is_missing));
    if (missing > 0 && missing + 1 == contestants.size()) {
      not_started.insert(speed.op);
    }
    fmt::print("{}", table(result.shapes.back()));
  }
  fmt::print("{}", sentence_on_left_out(left_out));
  if (!options.json.empty()) write_whole(options.json, to_json(result));
  return result.complete() ? 0 : 1;
}

}  // namespace convkit
