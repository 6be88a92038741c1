// SPDX-License-Identifier: MIT
// Puts the accesses of a warp's lanes together as the instructions of the warp. The CPU device runs
// one lane after the other, so what a GPU does at once comes here one by one.
//
// The n-th execution of an instruction (a return address) by a lane belongs to the n-th of every
// other lane, counted since the warp last met: at a barrier, or in a warp function of all lanes. So
// lanes that leave a loop early stay aligned with the others until they have left it. Not known
// here are loops in loops without a barrier: where lanes leave the inner loop at other times, the
// next round of the outer loop begins at another n, and the groups are those of a GPU only in sum
// of lanes.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "cpu_device/profile/warp_access.h"

namespace convkit::simt::profile {

enum class Use : uint8_t { global_load, global_store, shared_load, shared_store, atomic };

// Sums over the warps of a kernel, of one instruction.
struct Line {
  uint64_t requests = 0, lanes = 0;
  GlobalCost global;  // also of atomics
  SharedCost shared;
  uint64_t addresses = 0;   // of atomics, distinct in each request
  uint64_t contention = 0;  // of atomics: the lanes that wait for one address, summed
};

using Site = std::pair<uintptr_t, Use>;  // the instruction

class Groups {
 public:
  // `thread` is the number in its block.
  void record(uintptr_t pc, Use use, unsigned thread, uintptr_t at, unsigned size);
  // All lanes of the warp have met.
  void meet(unsigned warp);
  // All warps have met, or the block has ended.
  void meet();

  const std::map<Site, Line>& sites() const { return sites_; }
  void clear();

 private:
  struct Instruction {
    std::array<uint32_t, 32> executed{};         // by each lane since the warp met
    std::vector<std::vector<LaneAccess>> nth{};  // the n-th execution of each lane
  };
  using Warp = std::map<Site, Instruction>;

  void settle(const Warp& warp);

  std::unordered_map<unsigned, Warp> warps_;
  std::map<Site, Line> sites_;
};

}  // namespace convkit::simt::profile
