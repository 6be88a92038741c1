// SPDX-License-Identifier: MIT
// Judges one access: is the memory there, has it been written, does another thread use it at the
// same time?
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/check/shadow.h"
#include "simt/check/stamp.h"

namespace convkit::simt::check {

enum Use : unsigned {
  kRead = 1,
  kWrite = 2,
  kAtomicUse = 4,    // both, or a load or a store
  kOverwriting = 8,  // atomic, and what was there before hardly matters
  kVolatileUse = 16,
  kWhole = 32,  // a structure, perhaps with padding, or a copy
};

struct Access {
  uintptr_t at;
  size_t size;
  unsigned use;
  uintptr_t pc;  // the return address into the program
};

// Everything, slowly: for kernels and for host code.
void judge(const Access& access);

}  // namespace convkit::simt::check
