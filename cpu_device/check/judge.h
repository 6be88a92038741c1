// SPDX-License-Identifier: MIT
// Judges one access: is the memory there, has it been written, does another thread use it at the
// same time?
//
// Theory of operation. Code for check mode calls us before each access (compile_flags.h,
// callbacks.cpp). Each four bytes that a kernel touches have a cell (shadow.h) with the last write
// and the reads since, as stamps (stamp.h): event, thread, line. One OS thread runs all blocks, so
// there is one present (present.h), and whether an earlier access comes before this one follows
// from its event: before the launch; in this block, before its last barrier; by the same thread; or
// ordered by warp functions or atomics (order.h). Else, if one of the two writes, it is a race.
// A cell of which nothing is known is admitted first (admit.h): that is where an access beside an
// allocation or array is found, so nothing is looked up for memory that was admitted before.
// Freed memory becomes unknown again. Host code of the same source calls us, too (host_access.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu_device/check/shadow.h"
#include "cpu_device/check/stamp.h"

namespace convkit::simt::check {

enum Use : unsigned {
  kRead = 1,
  kWrite = 2,
  kAtomicUse = 4,    // both, or a load or a store
  kOverwriting = 8,  // atomic, and what was there before hardly matters
  kVolatileUse = 16,
  kWhole = 32,    // a structure, perhaps with padding, or a copy
  kReturns = 64,  // what it did is told behind it, by compared() or exchanged()
};

struct Access {
  uintptr_t at;
  size_t size;
  unsigned use;
  uintptr_t pc;         // the return address into the program
  unsigned manner = 0;  // of an atomic: AtomicManner (simt/atomic_operations.h)
};

// The running thread is about to make an atomic access of this manner.
void atomic_begins(const void* address, unsigned manner);

// Everything, slowly: for kernels and for host code.
void judge(const Access& access);

}  // namespace convkit::simt::check
