// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "bench/bench.h"
#include "bench/contestants.h"
#include "bench/json_view.h"
#include "bench/terminal_view.h"
#include "convkit/atomic_file.h"
#include "grade/speed/fma_peak.h"
#include "grade/speed/speed_runner.h"
#include "machine/console.h"
#include "process/process.h"

namespace convkit {
namespace {

TimedShape judged(const Stage& stage, const SpeedCase& speed, const std::vector<Timing>& timings) {
  TimedShape shape{speed.name, speed.title, speed.flop, {}};
  const Timing& baseline = timings.front();
  for (const Timing& timing : timings) {
    TimedCode code;
    code.name = timing.name;
    code.problem = problem_of(timing, stage, speed.op);
    if (code.problem.empty()) {
      code.rounds = std::min(baseline.seconds.size(), timing.seconds.size());
      if (code.rounds == 0) continue;
      const std::span<const double> base(baseline.seconds.data(), code.rounds);
      const std::span<const double> own(timing.seconds.data(), code.rounds);
      code.ratio = ratio_of_pairs(base, own);
      code.time = spread(own);
    }
    shape.rows.push_back(std::move(code));
  }
  return shape;
}

}  // namespace

int bench_times(const Kit& kit, const Stage& stage, const BenchOptions& options) {
  BenchContestants build(kit, stage, false);
  std::vector<Contestant> contestants;
  for (const BenchContestant& built : build.all(options)) {
    contestants.push_back({built.name, build.timed_session(built), "", {}});
  }
  const bool on_gpu = stage.device == "gpu";
  BenchTimes result;
  result.kit_version = kit.version;
  result.stage = stage.id;
  result.compiler = build.builder().toolchain().version;
  result.flags = fmt::format("{}", fmt::join(stage.flags, " "));
  if (on_gpu) {
    result.gpu = kit.device.name;
  } else {
    result.fma_peak_flops = measured_fma_peak_flops();
  }
  fmt::print("{}", heading(result));
  TimingPlan plan;
  plan.budget_s = options.seconds;
  for (const SpeedCase& speed : stage.speed) {
    if (!options.wants(speed.name)) continue;
    if (interrupted()) break;
    std::vector<Timing> timings;
    {
      StatusLine status;
      status.doing(fmt::format("timing {}", speed.title));
      timings = time_in_turn(stage, speed, contestants, plan);
    }
    if (interrupted()) break;
    result.shapes.push_back(judged(stage, speed, timings));
    fmt::print("{}", table(result.shapes.back(), result.fma_peak_flops));
  }
  fmt::print("{}", summary(result));
  if (!options.json.empty()) write_whole(options.json, to_json(result));
  return result.complete() ? 0 : 1;
}

}  // namespace convkit
