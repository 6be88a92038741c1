// SPDX-License-Identifier: MIT
// What one instruction of a warp costs in the memory system: the figures that ncu calls requests,
// sectors and wavefronts. Pure functions of the lanes' addresses.
#pragma once

#include <cstdint>
#include <vector>

namespace convkit::simt::profile {

inline constexpr unsigned kLanes = 32;  // of a warp

struct LaneAccess {
  unsigned lane;  // 0 to 31
  uintptr_t at;
  unsigned size;  // in bytes, of the compiled access: 16 for a float4 that is loaded as a whole
};

struct GlobalCost {
  uint64_t sectors = 0;      // distinct sectors of 32 bytes
  uint64_t bytes_used = 0;   // distinct bytes that a lane asked for
  uint64_t bytes_moved = 0;  // 32 for each sector
};

struct SharedCost {
  uint64_t wavefronts = 0;
  uint64_t conflicts = 0;  // wavefronts beyond one for each phase
};

struct AtomicCost {
  uint64_t addresses = 0;   // distinct ones
  uint64_t contention = 0;  // lanes at the address that most lanes use
};

// An empty instruction costs nothing.
GlobalCost global_cost(const std::vector<LaneAccess>& lanes);

// 32 banks of 4 bytes. Lanes that read the same word share it. Accesses of 8 bytes take two phases
// of 16 lanes, those of 16 bytes four phases of 8 lanes; a phase without lanes takes no wavefront.
SharedCost shared_cost(const std::vector<LaneAccess>& lanes);

AtomicCost atomic_cost(const std::vector<LaneAccess>& lanes);

}  // namespace convkit::simt::profile
