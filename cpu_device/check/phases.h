// SPDX-License-Identifier: MIT
// What the phases of a cuda::barrier order: what a thread did before it arrived, and what it knew,
// comes before what those do who have waited for the phase.
#pragma once

#include "cpu_device/check/stamp.h"

namespace convkit::simt::check {

void forget_phases();

// The running thread arrives at the phase, or goes on because it is complete.
void phase_arrival(const void* barrier, unsigned phase);
void phase_passed(const void* barrier, unsigned phase);

// Whether an earlier access by threads of the block comes before the running thread's present.
bool met_at_phase(Stamp earlier);

// Whether a cuda::barrier has been used in this launch.
bool phases_are_used();

}  // namespace convkit::simt::check
