// SPDX-License-Identifier: MIT
// What was timed on one shape as a table's rows.
#pragma once

#include <vector>

#include "bench/results.h"
#include "grade/speed/speed_runner.h"

namespace convkit {

// `timings`: the baseline's, those of `submissions` submissions, and those of libraries. Libraries
// earn nothing, and one that has no such function has no row.
TimedShape rows_of_shape(const Stage& stage, const SpeedCase& speed,
                         const std::vector<Timing>& timings, size_t submissions);

}  // namespace convkit
