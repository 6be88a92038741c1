// SPDX-License-Identifier: MIT
#include "cpu_device/engine/counts.h"

#include "cpu_device/engine/settings.h"
#include "simt/counts.h"

namespace convkit::simt {

Counts& counts() {
  static Counts the_counts;
  return the_counts;
}

}  // namespace convkit::simt

void convkit_simt_read_counts(ConvkitSimtCounts* result) {
  const convkit::simt::Counts& c = convkit::simt::counts();
  *result = {c.launches,       c.blocks,         c.threads,      c.barriers,
             c.global_loads,   c.global_stores,  c.shared_loads, c.shared_stores,
             c.global_atomics, c.shared_atomics, c.library_calls};
}

bool convkit_simt_counts_accesses() {
  return convkit::simt::settings().count_accesses;
}

void convkit_simt_count_accesses(uint64_t loads, uint64_t stores) {
  convkit::simt::counts().global_loads += loads;
  convkit::simt::counts().global_stores += stores;
}

void convkit_simt_count_shared_accesses(uint64_t loads, uint64_t stores) {
  convkit::simt::counts().shared_loads += loads;
  convkit::simt::counts().shared_stores += stores;
}
