// SPDX-License-Identifier: MIT
// What orders threads in addition to barriers and launches: warp functions, and atomics with
// fences.
//
// Warp functions: after one, each lane of its group knows what the others of the group did before,
// and what they knew. Atomics: a thread that writes data, calls __threadfence() and then changes a
// word with an atomic hands the data on to every thread that reads the word with an atomic later
// (and to those that thread meets at a barrier after). __threadfence_block() and atomics of a block
// hand on within the block. Who takes a lock, by a compare-and-swap that changes the word or an
// exchange that finds zero there, knows
// what was done under it from its next fence on; a loop that waits for a flag needs none (the PTX
// memory model asks for one there, too; but hardly any program has it), unless the look says that
// it is relaxed. What a thread does between taking a lock and that fence, the lock does not order,
// whoever comes first. Where it is hard to say, threads count as ordered: a race may be overlooked,
// but none is invented.
#pragma once

#include <cstdint>

#include "cpu_device/check/stamp.h"

namespace convkit::simt::check {

// A launch begins.
void forget_order();

// The lanes took part in one warp function together; `whole`: they are all that are left of it.
void warp_met(unsigned warp, unsigned lanes, bool whole);

// The running thread has called a fence; `of_device`: not only for its block.
void fenced(bool of_device = true);
// The running block will not go on.
void block_is_over();

// Accesses that order threads are followed from now on, in this launch.
void follow_atomics();
// An atomic, or volatile, access to global or shared memory; of AtomicManner.
void atomic_access(uintptr_t address, bool reads, bool writes, unsigned manner = 0);
// A compare-and-swap has been made. `took`: it changed the word.
void compared(uintptr_t address, bool took, unsigned manner = 0);
// An exchange has been made. `took`: it found nothing but zeros, and left something else.
void exchanged(uintptr_t address, bool took, unsigned manner = 0);

// Whether the running thread has called a fence since the access.
bool fenced_since(Stamp access);
// Whether it holds a lock other than the word: one that it took by a compare-and-swap and a fence.
// `surely`: threads have given that one back before.
bool holds_lock(uintptr_t but_not, bool surely);
bool is_lock(uintptr_t word);
// Whether that thread of the running block has written the word, as a flag, behind a fence.
bool has_raised(uintptr_t word, unsigned thread);

// Whether an earlier access, by another thread since the block's last barrier, comes before the
// running thread's present.
bool met_in_warp(Stamp earlier);
// The same for any thread of any block of the launch, by way of atomics.
bool handed_on(Stamp earlier);
// What is missing where atomics were meant to hand on an access to the running thread, and do not.
enum class Missing {
  nothing_known,
  device_scope,     // a fence or an atomic is for one block only
  fence_of_lock,    // between taking a lock and the access
  fence_of_writer,  // between the access and the atomic that tells of it
};
Missing missing_for(Stamp earlier);
// Whether the running thread has waited for what that thread handed on before the access, and the
// thread has ended since.
bool came_after_handing_on(Stamp earlier);
// The event up to which the thread knows what the others of its warp did.
uint32_t warp_met_at(unsigned thread);
// Whether anything but barriers and warp functions has ordered threads for the running block.
bool knows_by_other_means();
// Whether other blocks have handed anything on to the running thread.
bool knows_other_blocks();

}  // namespace convkit::simt::check
