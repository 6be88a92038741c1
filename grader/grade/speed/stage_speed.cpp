// SPDX-License-Identifier: MIT
#include "grade/speed/stage_speed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grade/verdict.h"

namespace convkit {
namespace {

// A ratio is measured until what is unknown of it is worth no more points than this, and is no more
// than this part of it.
constexpr double kWorthMeasuring = 0.25, kNarrow = 0.02;

bool is_narrow(const Interval& interval, double median) {
  return interval.high - interval.low <= kNarrow * median;
}

std::vector<double> pair_ratios(const Timing& baseline, const Timing& submission) {
  const size_t pairs = std::min(baseline.seconds.size(), submission.seconds.size());
  return ratios_of_pairs({baseline.seconds.data(), pairs}, {submission.seconds.data(), pairs});
}

}  // namespace

double speed_points(const SpeedCase& speed, double ratio) {
  if (!(ratio > speed.none)) return 0;
  return speed.points *
         std::min(1.0, std::log(ratio / speed.none) / std::log(speed.full / speed.none));
}

double ratio_that_counts(const Interval& interval, double median) {
  return is_narrow(interval, median) ? interval.high : median;
}

bool is_known_well_enough(const SpeedCase& speed, const Interval& ratio, double median) {
  if (ratio.low >= speed.full) return true;
  const double worth = speed_points(speed, ratio.high) - speed_points(speed, ratio.low);
  return worth <= kWorthMeasuring && is_narrow(ratio, median);
}

bool held_back(const SpeedCase& speed, const StageResult& stage, SpeedResult& out) {
  // An op that is only timed, such as one step of a training, depends on all others.
  const bool has_cases =
      std::ranges::any_of(stage.cases, [&](const CaseResult& c) { return c.op == speed.op; });
  const auto broken = std::ranges::find_if(stage.cases, [&](const CaseResult& c) {
    return (!has_cases || c.op == speed.op) && c.status != Status::pass;
  });
  if (broken == stage.cases.end()) return false;
  const bool judged = is_judged(broken->status);
  out.status = judged ? Status::skipped : Status::pending;
  out.pending_points = judged ? 0 : out.max_points;
  out.message = fmt::format("Not timed: case {} of {} is {}.", broken->name, broken->op,
                            name_of(broken->status));
  return true;
}

void skip_speed_of_what_fails(const Stage& stage, StageResult& result) {
  for (SpeedResult& out : result.speed) {
    if (out.status != Status::pending) continue;
    const auto speed = std::ranges::find(stage.speed, out.name, &SpeedCase::name);
    SpeedResult skipped = out;
    if (held_back(*speed, result, skipped) && skipped.pending_points == 0) out = skipped;
  }
}

namespace {

// Into the status, the points and the words.
void judge_timing(const Stage& stage, const SpeedCase& speed, const Timing& baseline,
                  const Timing& own_timing, SpeedResult& out) {
  out.pending_points = 0;
  if (own_timing.outcome != Answer::Kind::ok) {
    const Verdict verdict = verdict_of(own_timing.failure, stage, speed.op, -1);
    out.status = verdict.status;
    out.message = verdict.message;
    if (verdict.status == Status::grader_error) out.pending_points = out.max_points;
    return;
  }
  if (own_timing.wrong) {
    out.status = Status::wrong;
    out.message = own_timing.message;
    return;
  }
  const size_t pairs = std::min(baseline.seconds.size(), own_timing.seconds.size());
  const std::span<const double> base(baseline.seconds.data(), pairs);
  const std::span<const double> own(own_timing.seconds.data(), pairs);
  const Spread ratio = ratio_of_pairs(base, own);
  out.pairs = static_cast<unsigned>(pairs);
  out.ratio = ratio.median;
  out.ratio_low = ratio.lower_quartile;
  out.ratio_high = ratio.upper_quartile;
  out.baseline_ms = median(base) * 1e3;
  out.submission_ms = median(own) * 1e3;
  out.gflops = speed.flop / median(own) * 1e-9;
  const Interval interval = median_interval(pair_ratios(baseline, own_timing));
  const double counted = ratio_that_counts(interval, out.ratio);
  if (median(own) < own_timing.floor_s) {
    out.status = Status::pending;
    out.pending_points = out.max_points;
    out.message = fmt::format(
        "{:.1f}x the baseline's speed needs review: {:.3g} ms are less than this machine takes "
        "to read the inputs and write the output ({:.3g} ms).",
        out.ratio, out.submission_ms, own_timing.floor_s * 1e3);
    return;
  }
  out.points = speed_points(speed, counted);
  out.status = counted >= speed.full ? Status::pass : Status::slow;
  out.message = fmt::format(
      "{:.1f}x the baseline's speed (quartiles {:.1f} to {:.1f}, {} pairs); "
      "full marks at {:g}x, none at {:g}x.",
      out.ratio, out.ratio_low, out.ratio_high, out.pairs, speed.full, speed.none);
}

}  // namespace

void measure_speed(const Kit& kit, const Stage& stage, const SpeedCase& speed,
                   const std::filesystem::path& baseline, const std::filesystem::path& submission,
                   TimingPlan plan, SpeedResult& out) {
  plan.enough = [&](const std::vector<Timing>& so_far) {
    if (so_far[1].seconds.empty()) return false;
    const std::vector<double> ratios = pair_ratios(so_far[0], so_far[1]);
    return is_known_well_enough(speed, median_interval(ratios), median(ratios));
  };
  try {
    const auto timings =
        time_in_turn(stage, speed,
                     {{"baseline", kit.timed_session_options(stage, baseline)},
                      {"submission", kit.timed_session_options(stage, submission)}},
                     plan);
    if (interrupted()) return;
    judge_timing(stage, speed, timings[0], timings[1], out);
  } catch (const DeviceBusy& busy) {
    out.status = Status::pending;
    out.pending_points = out.max_points;
    out.message = busy.what();
  } catch (const std::exception& error) {
    out.pending_points = out.max_points;
    if (interrupted()) return;  // an interrupted baseline is not a fault
    out.status = Status::grader_error;
    out.message = fmt::format("{} No points were lost.", error.what());
  }
}

}  // namespace convkit
