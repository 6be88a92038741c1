// SPDX-License-Identifier: MIT
// The functions of the engine behind asynchronous copies into shared memory. Those who call
// convkit_simt_async_copy() are inlined into the kernel: check mode names the line it returns to.
#pragma once

#include <cstddef>

#include "simt/qualifiers.h"

#pragma GCC visibility push(default)
extern "C" {

// Both addresses are multiples of `alignment`. `zeros` bytes after those copied become 0.
void convkit_simt_async_copy(void* to, const void* from, unsigned bytes, unsigned zeros,
                             unsigned alignment);
// What the thread has asked for since the last call is a batch.
void convkit_simt_async_commit(void);
// Makes the copies of all batches of the thread but the last ones.
void convkit_simt_async_wait(unsigned long long but_last);
}
#pragma GCC visibility pop

namespace convkit::simt {

// Each thread of the group asks for its part.
template <class Group>
static __forceinline__ void copy_own_part(const Group& group, void* to, const void* from,
                                          std::size_t bytes) {
  constexpr std::size_t kPart = sizeof(int);
  const std::size_t stride = static_cast<std::size_t>(group.num_threads()) * kPart;
  for (std::size_t begin = static_cast<std::size_t>(group.thread_rank()) * kPart; begin < bytes;
       begin += stride) {
    const std::size_t part = bytes - begin < kPart ? bytes - begin : kPart;
    convkit_simt_async_copy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin,
                            static_cast<unsigned>(part), 0, 1);
  }
}

}  // namespace convkit::simt
