// SPDX-License-Identifier: MIT
// The speed points of a stage.
#pragma once

#include <filesystem>

#include "grade/kit.h"
#include "grade/speed/speed_runner.h"
#include "report/result.h"

namespace convkit {

// Points for a measured ratio: none at or below speed.none, all at or above speed.full,
// log-linear between.
double speed_points(const SpeedCase& speed, double ratio);

// The ratio that is worth points: the favourable end of the interval in which the median lies,
// where that is at most 2 % wide, else the median, so that a time that jitters never pays.
double ratio_that_counts(const Interval& interval, double median);

// Whether a ratio need not be measured any longer: the interval is worth no more than a quarter of
// a point and is at most 2 % wide, or it lies beyond what has all points.
bool is_known_well_enough(const SpeedCase& speed, const Interval& ratio, double median);

// Only right results are timed. Returns true, with the reason in `out`, if a case of the op did not
// pass; if the op has no case, all cases of the stage count.
bool held_back(const SpeedCase& speed, const StageResult& stage, SpeedResult& out);

// Whatever this run measures: points that a later run cannot give are not pending.
void skip_speed_of_what_fails(const Stage& stage, StageResult& result);

// Times the submission's library in turn with the baseline's, until the interval of the median
// ratio is known well enough, or the plan's limits are reached. A time below
// Timing::floor_s is PENDING: somebody has to look; so is one where something else uses the GPU.
// Never throws: a fault of the kit becomes GRADER_ERROR.
void measure_speed(const Kit& kit, const Stage& stage, const SpeedCase& speed,
                   const std::filesystem::path& baseline, const std::filesystem::path& submission,
                   TimingPlan plan, SpeedResult& out);

}  // namespace convkit
