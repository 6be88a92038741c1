// SPDX-License-Identifier: MIT
// Threads that leave a loop while others of their block go on in it: they return, and a barrier
// that all had passed is passed by the others alone. Nothing is wrong with that in itself; but what
// the loop loads in shared memory with the help of all is then not loaded any more. And lanes that
// have returned, or that a mask does not name, from which others of their warp read by a shuffle:
// what these get is undefined, which matters only if they use it.
#pragma once

#include <optional>

#include "cpu_device/check/reports.h"
#include "cpu_device/engine/grid.h"
#include "cpu_device/engine/hooks.h"

namespace convkit::simt::check {

void forget_early_returns();    // a case begins; absent lanes, too
void forget_passed_barriers();  // a block begins
// A barrier opens for a block that runs by itself.
void barrier_opens_for(BlockThreads threads, BarrierSite site);
// `threads_returned`, of the first such barrier since the case began.
std::optional<Report> report_of_early_returns();

// The hook of this name; `absent_lane`, of the first one since the case began.
void note_absent_lane(const ConvkitWarpOp& op, unsigned lane, unsigned source, Absence why);
std::optional<Report> report_of_absent_lane();

}  // namespace convkit::simt::check
