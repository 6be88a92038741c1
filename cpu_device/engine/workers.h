// SPDX-License-Identifier: MIT
// The OS threads that run blocks: one a core, or CONVKIT_SIMT_THREADS. They start with the first
// launch and sleep between launches.
#pragma once

#include <cstdint>

#include "cpu_device/engine/grid.h"

namespace convkit::simt {

// Runs the whole grid and returns when its last block is done or the launch has failed. Called by
// one host thread at a time.
void run_on_workers(Grid& grid);

// The grid has had its time: fails it with a report of what was still running.
void end_for_time(Grid& grid);

// For a block that makes no progress, from its own worker: other blocks may have to begin first.
// The blocks that this worker has taken and not begun are given back, and one more worker takes
// them.
void ask_for_worker(Grid& grid);
// The same where hooks follow one block at a time: whether there are other blocks to go on with,
// and lets them, until it is this worker's turn again. False: the launch has failed.
bool others_can_run(Grid& grid);
bool let_others_run(Grid& grid);

// How many OS threads run blocks.
unsigned worker_count();

// Makes an OS thread for each of so many blocks of a cooperative launch, which have workers of
// their own. Returns how many there are: fewer if the system allows no more.
uint64_t make_resident_workers(uint64_t blocks);

}  // namespace convkit::simt
