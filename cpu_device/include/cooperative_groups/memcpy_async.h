// SPDX-License-Identifier: MIT
// CUDA's header of this name: copies by all threads of a group together. Each thread asks for its
// part, and has it when it waits (engine/async_copies.h); as in CUDA, what the others copied is
// there after wait(), too, which ends with a barrier of the group.
#pragma once

#include "cooperative_groups.h"
#include "simt/async_copies.h"

namespace cooperative_groups {

// A stage of its own for every thread, also for those that have no part in it.
template <class Group, class Element>
static __forceinline__ void memcpy_async(const Group& group, Element* to, const Element* from,
                                         size_t bytes) {
  convkit::simt::copy_own_part(group, to, from, bytes);
  convkit_simt_async_commit();
}

// Of elements; as many as there is room for.
template <class Group, class Element, class Size, class SourceSize>
static __forceinline__ void memcpy_async(const Group& group, Element* to, Size room,
                                         const Element* from, SourceSize count) {
  const size_t elements = static_cast<size_t>(room) < static_cast<size_t>(count)
                              ? static_cast<size_t>(room)
                              : static_cast<size_t>(count);
  memcpy_async(group, to, from, elements * sizeof(Element));
}

// Waits for all stages but the last `stages`.
template <unsigned stages, class Group>
static inline void wait_prior(const Group& group, CONVKIT_SIMT_SITE) {
  convkit_simt_async_wait(stages);
  group.sync(CONVKIT_SIMT_AT);
}
template <class Group>
static inline void wait(const Group& group, CONVKIT_SIMT_SITE) {
  wait_prior<0>(group, CONVKIT_SIMT_AT);
}

}  // namespace cooperative_groups
