// SPDX-License-Identifier: MIT
// What no call can be faster than.
#pragma once

#include "stage/stage.h"

namespace convkit {

// Seconds in which this machine cannot read all inputs of the timed shape and write its output:
// half of what the C library's copy takes for them when they lie in its caches. Whatever the
// algorithm, a call that is faster did not do the work between the clock's start and its stop.
double memory_floor_s(const SpeedCase& speed);

// Float32 operations per second (a fused multiply-add counts as two) of one core, measured: the
// best of many short runs of independent FMAs at the widest vectors this processor has.
double measured_fma_peak_flops();

}  // namespace convkit
