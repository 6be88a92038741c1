// SPDX-License-Identifier: MIT
// Threads that leave a loop while others of their block go on in it: they return, and a barrier
// that all had passed is passed by the others alone. Nothing is wrong with that in itself; but what
// the loop loads in shared memory with the help of all is then not loaded any more.
#pragma once

#include <optional>

#include "cpu_device/check/reports.h"
#include "cpu_device/engine/grid.h"
#include "cpu_device/engine/hooks.h"

namespace convkit::simt::check {

void forget_early_returns();    // a case begins
void forget_passed_barriers();  // a block begins
// A barrier opens for a block that runs by itself.
void barrier_opens_for(BlockThreads threads, BarrierSite site);
// `threads_returned`, of the first such barrier since the case began.
std::optional<Report> report_of_early_returns();

}  // namespace convkit::simt::check
