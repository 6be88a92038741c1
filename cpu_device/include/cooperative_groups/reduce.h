// SPDX-License-Identifier: MIT
// CUDA's header of this name: one value from those of all threads of a tile or of a coalesced
// group, combined in CUDA's order, so that float sums agree to the last bit.
#pragma once

#include "cooperative_groups/scan.h"

namespace cooperative_groups {

// Partners at distances size/2, size/4 ... 1 combine what they have.
template <unsigned tile_size, class Parent, class Value, class Operation>
static inline auto reduce(const thread_block_tile<tile_size, Parent>& tile, Value value,
                          Operation&& operation, CONVKIT_SIMT_SITE)
    -> decltype(operation(value, value)) {
  auto result = value;
  for (unsigned distance = tile_size / 2; distance > 0; distance /= 2) {
    result = operation(result, tile.shfl_xor(result, distance, CONVKIT_SIMT_AT));
  }
  return result;
}

template <class Value, class Operation>
static inline auto reduce(const coalesced_group& group, Value value, Operation&& operation,
                          CONVKIT_SIMT_SITE) -> decltype(operation(value, value)) {
  if (group.size() == 32) {
    return reduce(thread_block_tile<32>(0, 1), value, operation, CONVKIT_SIMT_AT);
  }
  const auto scanned = inclusive_scan(group, value, operation, CONVKIT_SIMT_AT);
  return group.shfl(scanned, group.size() - 1, CONVKIT_SIMT_AT);
}

}  // namespace cooperative_groups
