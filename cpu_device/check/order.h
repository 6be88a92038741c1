// SPDX-License-Identifier: MIT
// What orders threads in addition to barriers and launches: warp functions, and atomics with
// fences.
//
// Warp functions: after one, each lane of its group knows what the others of the group did before,
// and what they knew. Atomics: a thread that writes data, calls __threadfence() and then changes a
// word with an atomic hands the data on to every thread that reads the word with an atomic later
// (and to those that thread meets at a barrier after). Where it is hard to say, threads count as
// ordered: a race may be overlooked, but none is invented.
#pragma once

#include <cstdint>

#include "cpu_device/check/stamp.h"

namespace convkit::simt::check {

// A launch begins.
void forget_order();

// The lanes took part in one warp function together; `whole`: they are all that are left of it.
void warp_met(unsigned warp, unsigned lanes, bool whole);

void fenced();

// An atomic, or volatile, access to global or shared memory.
void atomic_access(uintptr_t address, bool reads, bool writes);

// Whether the block has had a fence since the access.
bool fenced_since(Stamp access);

// Whether an earlier access, by another thread since the block's last barrier, comes before the
// running thread's present.
bool met_in_warp(Stamp earlier);
// The same for any thread of any block of the launch, by way of atomics.
bool handed_on(Stamp earlier);
// The event up to which the thread knows what the others of its warp did.
uint32_t warp_met_at(unsigned thread);
// Whether anything but barriers and warp functions has ordered threads for the running block.
bool knows_by_other_means();
// Whether other blocks have handed anything on to the running thread.
bool knows_other_blocks();

}  // namespace convkit::simt::check
