// SPDX-License-Identifier: MIT
// How many threads of a kernel a multiprocessor holds at a time, and what sets the limit.
#pragma once

#include <cstdint>
#include <string>

#include "profile/card.h"

namespace convkit {

// What one block of a kernel takes.
struct BlockNeeds {
  unsigned threads = 0;
  unsigned registers = 0;     // of a thread; 0: not known
  uint64_t shared_bytes = 0;  // static and dynamic
};

struct Occupancy {
  unsigned blocks = 0, warps = 0;  // of one multiprocessor
  // The first of "warps", "blocks", "registers", "shared memory" that allows no more.
  const char* limited_by = "";
};

// By the rules of cudaOccupancyMaxActiveBlocksPerMultiprocessor: a warp's registers are handed out
// by 256 in each of four parts of the multiprocessor, shared memory by 128 bytes (256 on sm_75). It
// is assumed that the driver gives as much of the L1 cache to shared memory as there can be.
Occupancy occupancy(const Card& card, const BlockNeeds& needs);

// The same of a kernel that was profiled.
struct KernelOccupancy {
  const Card* card = nullptr;
  BlockNeeds needs;
  uint64_t spilled_bytes = 0;  // of a thread; see KernelResources
  Occupancy of_one;            // multiprocessor
};

}  // namespace convkit
