// SPDX-License-Identifier: MIT
#include "cpu_device/profile/sector_set.h"

namespace convkit::simt::profile {

void SectorSet::add(uintptr_t sector) {
  const uintptr_t number = sector / kTogether;
  if (latest_ == nullptr || number != latest_number_) {
    latest_ = &groups_[number];
    latest_number_ = number;
  }
  latest_->set(sector % kTogether);
}

void SectorSet::add(const Request& request) {
  uintptr_t last = ~uintptr_t{0};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!(request.mask >> lane & 1)) continue;
    const uintptr_t at = request.address[lane], first = at / kSectorBytes;
    if (first != last) add(first);
    last = (at + request.bytes - 1) / kSectorBytes;
    if (last != first) add(last);
  }
}

uint64_t SectorSet::take() {
  uint64_t sectors = 0;
  for (const auto& [number, group] : groups_) sectors += group.count();
  groups_.clear();
  latest_ = nullptr;
  return sectors;
}

}  // namespace convkit::simt::profile
