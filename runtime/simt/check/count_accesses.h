// SPDX-License-Identifier: MIT
// How often kernels access device memory (simt/counts.h). In check mode one worker runs all blocks,
// so plain counters do.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/check/present.h"

namespace convkit::simt::check {

struct AccessCounts {
  uintptr_t device_begin = 0;
  size_t device_bytes = 0;
  uint64_t loads = 0, stores = 0;
};

inline AccessCounts access_counts;

inline void count_access(uintptr_t at, bool write) {
  if (__builtin_expect(!present.counting, 1)) return;
  if (at - access_counts.device_begin >= access_counts.device_bytes) return;
  ++(write ? access_counts.stores : access_counts.loads);
}

}  // namespace convkit::simt::check
