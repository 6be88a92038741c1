// SPDX-License-Identifier: MIT
// The different sectors of global memory that a launch touches.
#pragma once

#include <bitset>
#include <cstdint>
#include <unordered_map>

#include "cpu_device/profile/requests.h"

namespace convkit::simt::profile {

class SectorSet {
 public:
  void add(const Request& request);
  // How many there are; then there are none.
  uint64_t take();

 private:
  static constexpr uintptr_t kTogether = 512;  // sectors
  void add(uintptr_t sector);

  std::unordered_map<uintptr_t, std::bitset<kTogether>> groups_;
  std::bitset<kTogether>* latest_ = nullptr;
  uintptr_t latest_number_ = 0;
};

}  // namespace convkit::simt::profile
