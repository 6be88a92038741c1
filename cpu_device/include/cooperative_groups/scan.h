// SPDX-License-Identifier: MIT
// CUDA's header of this name: prefix sums, and other prefixes, over the threads of a tile or of a
// coalesced group.
#pragma once

#include "cooperative_groups.h"
#include "simt/group_operations.h"

namespace cooperative_groups {

template <class Group, class Value, class Operation>
static inline auto inclusive_scan(const Group& group, Value value, Operation&& operation,
                                  CONVKIT_SIMT_SITE) -> decltype(operation(value, value)) {
  auto result = value;
  for (unsigned distance = 1; distance < group.num_threads(); distance *= 2) {
    const auto before = group.shfl_up(result, distance, CONVKIT_SIMT_AT);
    if (group.thread_rank() >= distance) result = operation(result, before);
  }
  return result;
}
template <class Group, class Value>
static inline Value inclusive_scan(const Group& group, Value value) {
  return inclusive_scan(group, value, plus<Value>());
}

// Thread 0 has nothing before it and gets a value-initialised result.
template <class Group, class Value, class Operation>
static inline auto exclusive_scan(const Group& group, Value value, Operation&& operation,
                                  CONVKIT_SIMT_SITE) -> decltype(operation(value, value)) {
  const auto inclusive = inclusive_scan(group, value, operation, CONVKIT_SIMT_AT);
  const auto before = group.shfl_up(inclusive, 1, CONVKIT_SIMT_AT);
  return group.thread_rank() == 0 ? decltype(operation(value, value)){} : before;
}
template <class Group, class Value>
static inline Value exclusive_scan(const Group& group, Value value) {
  return exclusive_scan(group, value, plus<Value>());
}

}  // namespace cooperative_groups
