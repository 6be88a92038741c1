// SPDX-License-Identifier: MIT
// Two threads may write one place if they write the same value: CUDA leaves open which of them
// wins, and it does not matter (`found = true` by many threads). What is written is known only
// after the callback, so the second write waits here for the next access.
#pragma once

#include "cpu_device/check/races.h"

namespace convkit::simt::check {

// The running thread is about to write what another has written. Reports the race later, if the
// value changes.
void suspect_write(const Race& race);

// The write has been made.
void settle_suspects();

}  // namespace convkit::simt::check
