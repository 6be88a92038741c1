// SPDX-License-Identifier: MIT
#include "cpu_device/profile/groups.h"

namespace convkit::simt::profile {
namespace {

void add(Line& line, Use use, const std::vector<LaneAccess>& lanes) {
  ++line.requests;
  line.lanes += lanes.size();
  if (use == Use::shared_load || use == Use::shared_store) {
    const SharedCost cost = shared_cost(lanes);
    line.shared.wavefronts += cost.wavefronts;
    line.shared.conflicts += cost.conflicts;
    return;
  }
  const GlobalCost cost = global_cost(lanes);
  line.global.sectors += cost.sectors;
  line.global.bytes_used += cost.bytes_used;
  line.global.bytes_moved += cost.bytes_moved;
  if (use != Use::atomic) return;
  const AtomicCost atomic = atomic_cost(lanes);
  line.addresses += atomic.addresses;
  line.contention += atomic.contention;
}

}  // namespace

void Groups::record(uintptr_t pc, Use use, unsigned thread, uintptr_t at, unsigned size) {
  const unsigned lane = thread % kLanes;
  Instruction& instruction = warps_[thread / kLanes][{pc, use}];
  const uint32_t n = instruction.executed[lane]++;
  if (n >= instruction.nth.size()) instruction.nth.resize(n + 1);
  instruction.nth[n].push_back({lane, at, size});
}

void Groups::settle(const Warp& warp) {
  for (const auto& [site, instruction] : warp) {
    Line& line = sites_[site];
    for (const std::vector<LaneAccess>& lanes : instruction.nth) add(line, site.second, lanes);
  }
}

void Groups::meet(unsigned warp) {
  const auto found = warps_.find(warp);
  if (found == warps_.end()) return;
  settle(found->second);
  warps_.erase(found);
}

void Groups::meet() {
  for (const auto& [number, warp] : warps_) settle(warp);
  warps_.clear();
}

void Groups::clear() {
  warps_.clear();
  sites_.clear();
}

}  // namespace convkit::simt::profile
