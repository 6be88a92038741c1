// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include "bench/bench.h"
#include "bench/contestants.h"
#include "bench/counted_run.h"
#include "bench/json_view.h"
#include "bench/terminal_view.h"
#include "convkit/atomic_file.h"
#include "process/process.h"

namespace convkit {
namespace {

CountedShapeRows counted_rows(const Stage& stage, const SpeedCase& speed,
                              const BenchContestants& build,
                              const std::vector<BenchContestant>& contestants) {
  CountedShapeRows shape{speed.name, speed.title, counted_shape_text(speed), {}, speed.points};
  for (const BenchContestant& contestant : contestants) {
    CountedCode code;
    code.name = contestant.name;
    code.counted = count_run(stage, build.session(contestant), speed.op, counted_shape(speed));
    code.library_only = code.counted.of("launches") == 0 && !stage.libraries.empty();
    shape.rows.push_back(std::move(code));
  }
  return shape;
}

}  // namespace

int bench_counts(const Kit& kit, const Stage& stage, const BenchOptions& options) {
  BenchCounts result{kit.version, stage.id, {}};
  fmt::print("{}", heading(result));
  BenchContestants build(kit, stage, true);
  const std::vector<BenchContestant> contestants = build.all(options);
  const auto ends_by = options.end_from_now();
  std::vector<std::string> left_out;
  for (const SpeedCase& speed : those_with_points_first(stage.speed)) {
    if (!options.wants(speed.name)) continue;
    if (interrupted()) break;
    if (ends_by && BenchOptions::Clock::now() > *ends_by) {
      left_out.push_back(speed.name);
      continue;
    }
    result.shapes.push_back(counted_rows(stage, speed, build, contestants));
    fmt::print("{}", table(result.shapes.back()));
  }
  fmt::print("{}", sentence_on_left_out(left_out));
  if (!options.json.empty()) write_whole(options.json, to_json(result));
  return result.complete() ? 0 : 1;
}

}  // namespace convkit
