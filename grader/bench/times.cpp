// SPDX-License-Identifier: MIT
#include "bench/times.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <span>

#include "bench/bench.h"
#include "bench/contestants.h"
#include "bench/json_view.h"
#include "bench/terminal_view.h"
#include "convkit/atomic_file.h"
#include "grade/speed/memory_floor.h"
#include "grade/speed/speed_runner.h"
#include "grade/speed/stage_speed.h"
#include "machine/console.h"
#include "process/process.h"

namespace convkit {
namespace {

// `submissions`: how many there are behind the baseline.
bool none_started(const TimedShape& shape, size_t submissions) {
  return std::ranges::all_of(std::span(shape.rows).subspan(1, submissions),
                             &TimedCode::not_started);
}

// What a shape takes at least, by how fast the others were: its magnitudes, a round to warm up and
// one that counts.
double least_seconds(const SpeedCase& speed, const std::vector<TimedShape>& measured) {
  double seconds_of_flop = 0;  // of all contestants
  for (const TimedShape& shape : measured) {
    double seconds = 0;
    for (const TimedCode& code : shape.rows) seconds += code.time.median;
    if (shape.flop > 0) seconds_of_flop = std::max(seconds_of_flop, seconds / shape.flop);
  }
  return 3 * seconds_of_flop * speed.flop;
}

}  // namespace

TimedShape rows_of_shape(const Stage& stage, const SpeedCase& speed,
                         const std::vector<Timing>& timings, size_t submissions) {
  TimedShape shape{speed.name, speed.title, speed.flop, {}, speed.points, speed.none, speed.full};
  const Timing& baseline = timings.front();
  for (size_t i = 0; i < timings.size(); ++i) {
    const Timing& timing = timings[i];
    if (i > submissions && timing.outcome == Answer::Kind::missing_entry) continue;
    TimedCode code;
    code.name = timing.name;
    code.problem = problem_of(timing, stage, speed.op);
    code.not_started = is_not_started(timing);
    if (code.problem.empty()) {
      code.rounds = std::min(baseline.seconds.size(), timing.seconds.size());
      if (code.rounds == 0) continue;
      const std::span<const double> base(baseline.seconds.data(), code.rounds);
      const std::span<const double> own(timing.seconds.data(), code.rounds);
      code.ratio = ratio_of_pairs(base, own);
      code.time = spread(own);
      if (speed.points > 0 && i > 0 && i <= submissions) {
        const Interval interval = median_interval(ratios_of_pairs(base, own));
        code.points = speed_points(speed, ratio_that_counts(interval, code.ratio.median));
      }
    }
    shape.rows.push_back(std::move(code));
  }
  return shape;
}

int bench_times(const Kit& kit, const Stage& stage, const BenchOptions& options) {
  BenchContestants build(kit, stage, SimtMode::plain);
  std::vector<Contestant> contestants;
  size_t submissions = 0;
  for (const BenchContestant& built : build.all(options)) {
    submissions += contestants.empty() || built.peer ? 0 : 1;
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
  plan.budget_s = options.seconds_of_shape();
  plan.ends_by = options.end_from_now();
  std::vector<std::string> left_out;
  std::set<std::string> not_started;  // functions for which there is nothing to time
  for (const SpeedCase& speed : those_with_points_first(stage.speed)) {
    if (!options.wants(speed.name)) continue;
    if (interrupted()) break;
    if (not_started.contains(speed.op)) continue;
    const auto least = std::chrono::duration<double>(least_seconds(speed, result.shapes));
    if (plan.ends_by && BenchOptions::Clock::now() + least > *plan.ends_by) {
      left_out.push_back(speed.name);
      continue;
    }
    std::vector<Timing> timings;
    {
      StatusLine status;
      status.doing(fmt::format("timing {}", speed.title));
      timings = time_in_turn(stage, speed, contestants, plan);
    }
    if (interrupted()) break;
    result.shapes.push_back(rows_of_shape(stage, speed, timings, submissions));
    const TimedShape& shape = result.shapes.back();
    if (submissions > 0 && none_started(shape, submissions)) not_started.insert(speed.op);
    // Something else may have used the core when the peak was measured.
    if (!on_gpu && shape.most_flops() > result.fma_peak_flops) {
      result.fma_peak_flops = std::max(result.fma_peak_flops, measured_fma_peak_flops());
    }
    fmt::print("{}", table(shape, result.fma_peak_flops));
  }
  fmt::print("{}{}", summary(result), sentence_on_left_out(left_out));
  if (!options.json.empty()) write_whole(options.json, to_json(result));
  return result.complete() ? 0 : 1;
}

}  // namespace convkit
