// SPDX-License-Identifier: MIT
// The report of two accesses that nothing orders.
#pragma once

#include <string>

#include "cpu_device/check/judge.h"
#include "cpu_device/check/stamp.h"

namespace convkit::simt::check {

struct Race {
  uintptr_t at;
  Access access;  // the later one, by the running thread
  Stamp earlier;
  bool earlier_wrote;
  bool shared;
  bool across_blocks;
  bool volatile_update;         // of global memory: a read and a write of the running thread
  unsigned thread;              // that made the later access
  uint32_t block;               // its block's first event
  std::string where;            // not needed of a pair that was_reported()
  bool across_streams = false;  // the earlier one by another launch
  bool update = false;          // the running thread then writes, where the earlier one wrote
};

void report_race(const Race& race);

// Whether these two instructions have been reported since the last start over. A kernel that is
// wrong everywhere makes millions of such pairs: what is known need not be put into words again.
bool was_reported(const Race& race);
void forget_races();

}  // namespace convkit::simt::check
