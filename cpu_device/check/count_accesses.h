// SPDX-License-Identifier: MIT
// How often kernels access device and shared memory (simt/counts.h). In check mode one worker runs
// all blocks, so plain counters do.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu_device/check/places.h"
#include "cpu_device/check/present.h"

namespace convkit::simt::check {

struct AccessCounts {
  uintptr_t device_begin = 0;
  size_t device_bytes = 0;
  uint64_t loads = 0, stores = 0;
  uint64_t shared_loads = 0, shared_stores = 0;
};

inline AccessCounts access_counts;

inline void count_access(uintptr_t at, bool write) {
  if (__builtin_expect(!present.counting, 1)) return;
  if (at - access_counts.device_begin < access_counts.device_bytes) {
    ++(write ? access_counts.stores : access_counts.loads);
  } else if (is_shared(at)) {
    ++(write ? access_counts.shared_stores : access_counts.shared_loads);
  }
}

}  // namespace convkit::simt::check
