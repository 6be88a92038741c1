// SPDX-License-Identifier: MIT
// The report of two accesses that nothing orders.
#pragma once

#include <string>

#include "cpu_device/check/judge.h"
#include "cpu_device/check/order.h"
#include "cpu_device/check/stamp.h"
#include "cpu_device/engine/hooks.h"

namespace convkit::simt::check {

// What the two accesses are to each other.
enum class Story {
  accesses,
  update,           // the running thread then writes, where the earlier one wrote
  volatile_update,  // of global memory: a volatile read and a volatile write of the running thread
  volatile_data,    // of global memory: the volatile element holds data, and is no flag
  beside_atomic,    // one reads plainly what the other changes atomically
  narrow_atomic,    // both are atomic, one of them for its own block only
};

struct Race {
  uintptr_t at;
  Access access;  // the later one, by the running thread
  Stamp earlier;
  bool earlier_wrote;
  bool shared;
  bool across_blocks;
  Story story;
  unsigned thread;              // that made the later access
  uint32_t block;               // its block's first event
  std::string where;            // not needed of a pair that was_reported()
  bool across_streams = false;  // the earlier one by another launch
  Missing missing = Missing::nothing_known;
};

void report_race(const Race& race);

// Whether these two instructions have been reported since the last start over. A kernel that is
// wrong everywhere makes millions of such pairs: what is known need not be put into words again.
bool was_reported(const Race& race);
void forget_races();

// The barrier that opened last for the running block; `{}` when it begins.
void block_met(BarrierSite site);

}  // namespace convkit::simt::check
