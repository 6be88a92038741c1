// SPDX-License-Identifier: MIT
// CUDA's header of this name: copies by all threads of a group together. Here each thread copies
// its part at once; as in CUDA, what the others copied is there only after wait().
#pragma once

#include "cooperative_groups.h"

namespace cooperative_groups {

template <class Group, class Element>
static inline void memcpy_async(const Group& group, Element* to, const Element* from,
                                size_t bytes) {
  char* const target = reinterpret_cast<char*>(to);
  const char* const source = reinterpret_cast<const char*>(from);
  const size_t stride = static_cast<size_t>(group.num_threads()) * sizeof(int);
  for (size_t begin = static_cast<size_t>(group.thread_rank()) * sizeof(int); begin < bytes;
       begin += stride) {
    // Sizes that are constants: check mode does not see what the compiler makes of others.
    if (bytes - begin >= sizeof(int)) {
      __builtin_memcpy(target + begin, source + begin, sizeof(int));
    } else {
      for (size_t i = begin; i < bytes; ++i) target[i] = source[i];
    }
  }
}

template <class Group>
static inline void wait(const Group& group, CONVKIT_SIMT_SITE) {
  group.sync(CONVKIT_SIMT_AT);
}
template <unsigned stages, class Group>
static inline void wait_prior(const Group& group, CONVKIT_SIMT_SITE) {
  group.sync(CONVKIT_SIMT_AT);
}

}  // namespace cooperative_groups
