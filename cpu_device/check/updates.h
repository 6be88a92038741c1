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

}  // namespace convkit::simt::check
