// SPDX-License-Identifier: MIT
// A read of what another thread has written may be the first half of `x[i] += v` by two threads. So
// the report of it waits a little: if the reading thread then writes the element by the instruction
// that made the earlier write, both update it.
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

}  // namespace convkit::simt::check
