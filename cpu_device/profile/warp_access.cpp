// SPDX-License-Identifier: MIT
#include "cpu_device/profile/warp_access.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <map>
#include <set>

namespace convkit::simt::profile {
namespace {

constexpr uintptr_t kSector = 32, kBank = 4;
constexpr unsigned kBanks = 32;

unsigned lanes_of_a_phase(const std::vector<LaneAccess>& lanes) {
  unsigned widest = 0;
  for (const LaneAccess& lane : lanes) widest = std::max(widest, lane.size);
  if (widest <= 4) return kLanes;
  return widest <= 8 ? kLanes / 2 : kLanes / 4;
}

}  // namespace

GlobalCost global_cost(const std::vector<LaneAccess>& lanes) {
  std::map<uintptr_t, std::bitset<kSector>> used;
  for (const LaneAccess& lane : lanes) {
    for (uintptr_t byte = lane.at; byte < lane.at + lane.size; ++byte) {
      used[byte / kSector].set(byte % kSector);
    }
  }
  GlobalCost cost;
  cost.sectors = used.size();
  cost.bytes_moved = used.size() * kSector;
  for (const auto& [sector, bytes] : used) cost.bytes_used += bytes.count();
  return cost;
}

SharedCost shared_cost(const std::vector<LaneAccess>& lanes) {
  const unsigned width = lanes_of_a_phase(lanes);
  SharedCost cost;
  for (unsigned begin = 0; begin < kLanes; begin += width) {
    std::array<std::set<uintptr_t>, kBanks> words;
    for (const LaneAccess& lane : lanes) {
      if (lane.lane < begin || lane.lane >= begin + width) continue;
      for (uintptr_t word = lane.at / kBank; word <= (lane.at + lane.size - 1) / kBank; ++word) {
        words[word % kBanks].insert(word);
      }
    }
    size_t most = 0;
    for (const std::set<uintptr_t>& bank : words) most = std::max(most, bank.size());
    cost.wavefronts += most;
    if (most > 1) cost.conflicts += most - 1;
  }
  return cost;
}

AtomicCost atomic_cost(const std::vector<LaneAccess>& lanes) {
  std::map<uintptr_t, uint64_t> at;
  AtomicCost cost;
  for (const LaneAccess& lane : lanes) cost.contention = std::max(cost.contention, ++at[lane.at]);
  cost.addresses = at.size();
  return cost;
}

}  // namespace convkit::simt::profile
