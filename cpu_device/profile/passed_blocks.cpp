// SPDX-License-Identifier: MIT
#include "cpu_device/profile/passed_blocks.h"

#include <sys/mman.h>

#include "cpu_device/check/loaded_objects.h"

namespace convkit::simt::profile {

void PassedBlocks::turn_to(uintptr_t pc) {
  for (const Code& code : codes_) {
    if (pc - code.begin >= code.bytes) continue;
    code_ = code;
    return pass(pc);
  }
  const check::Range segment = check::loaded_object_at(pc).segment;
  if (!segment.holds(pc)) return;
  void* counts = mmap(nullptr, segment.bytes * sizeof(uint64_t), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (counts == MAP_FAILED) return;
  codes_.push_back({segment.begin, segment.bytes, static_cast<uint64_t*>(counts)});
  code_ = codes_.back();
  pass(pc);
}

void PassedBlocks::take(std::map<uintptr_t, uint64_t>& sums) {
  for (const uintptr_t pc : passed_) {
    for (const Code& code : codes_) {
      if (pc - code.begin >= code.bytes) continue;
      uint64_t& count = code.counts[pc - code.begin];
      sums[pc] += count;
      count = 0;
      break;
    }
  }
  passed_.clear();
}

}  // namespace convkit::simt::profile
