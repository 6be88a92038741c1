// SPDX-License-Identifier: MIT
#include "simt/engine/counts.h"

#include "simt/counts.h"

namespace convkit::simt {

Counts& counts() {
  static Counts the_counts;
  return the_counts;
}

}  // namespace convkit::simt

void convkit_simt_read_counts(ConvkitSimtCounts* result) {
  const convkit::simt::Counts& c = convkit::simt::counts();
  *result = {c.launches, c.blocks, c.threads, c.barriers, c.global_loads, c.global_stores};
}

void convkit_simt_count_accesses(uint64_t loads, uint64_t stores) {
  convkit::simt::counts().global_loads += loads;
  convkit::simt::counts().global_stores += stores;
}
