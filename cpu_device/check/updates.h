// SPDX-License-Identifier: MIT
// Races that are reported later, or not at all.
//
// A read of what another thread has written may be the first half of `x[i] += v` by two threads. So
// the report of it waits a little: if the reading thread then writes the element by the instruction
// that made the earlier write, both update it.
//
// Two threads may write one place if they write the same value: CUDA leaves open which of them
// wins, and it does not matter (`found = true` by many threads). What is written is known only
// after the callback, so the second write waits here for the next access.
//
// A plain read beside atomics of other threads may see any of their values. It is innocent where it
// does not matter which: the instruction only proposes what an atomic of the same thread on the
// same element then decides (a compare-and-swap loop, a test before an exchange or before the next
// ticket is drawn); or the element is a flag, which atomics set to one value and leave there.
// Instructions are judged at the end of the kernel, all their reads together: who finds the slot
// taken does not go on to the compare-and-swap. A test before atomicMax() or atomicMin(), a counter
// that is looked at, a sum that is used before all have added are reported.
#pragma once

#include "cpu_device/check/races.h"

namespace convkit::simt::check {

// A plain read races. Reports it, now or later.
void suspect_update(const Race& race);
// The running thread is about to make this access.
void look_for_update(const Access& access);
// Nothing more is waited for.
void settle_updates();
// What has been looked at is news again.
void forget_updates();

// The running thread is about to write what another has written. Reports the race later, if the
// value changes.
void suspect_write(const Race& race);

// The write has been made.
void settle_suspects();

// The instruction is an atomic, or volatile, one whose new value is not computed from the old one.
void know_setting(uintptr_t pc);
bool sets(Stamp atomic);
// An atomic of the thread that read decides about the value.
void verify_read(Stamp read);
bool is_verified(Stamp read);
// A plain read of global or shared memory and an atomic change, which `set` it, are in no order.
void suspect_read(const Race& race, Stamp read, bool set);
// The kernel has ended.
void settle_reads();

// The last atomic of the launch on the element that was for its own block only; 0: none.
Stamp narrow_atomic(uintptr_t at);
void know_narrow_atomic(uintptr_t at, Stamp self);
bool any_narrow_atomics();
// The plain write of the launch on the element that atomics of its own block came after; 0: none.
Stamp plain_write_below(uintptr_t at);
void know_plain_write(uintptr_t at, Stamp write);

}  // namespace convkit::simt::check
