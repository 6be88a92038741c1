// SPDX-License-Identifier: MIT
// The asynchronous copies that the threads of one block have asked for and not waited for
// (cooperative_groups::memcpy_async, __pipeline_memcpy_async). A GPU makes such a copy at any time
// between the two. Here it is made when its thread waits for it, as late as CUDA allows, so that a
// program that forgets to wait does not pass; a copy that nobody waits for is never made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace convkit::simt {

struct AsyncCopy {
  void* to;
  const void* from;
  unsigned bytes;      // to copy
  unsigned zeros;      // bytes to clear after them
  unsigned alignment;  // that both addresses must have
  uintptr_t pc;        // the return address into the program where it was asked for
};

class AsyncCopies {
 public:
  // Threads by their number in the block.
  void ask(unsigned thread, const AsyncCopy& copy);
  // Closes a batch: what the thread has asked for since the last one, perhaps nothing.
  void commit(unsigned thread);
  // Makes all copies of batches that were closed, but for those of the last `but_last` batches.
  void wait(unsigned thread, uint64_t but_last);
  // A new block begins.
  void forget();

 private:
  struct Asked {
    AsyncCopy copy;
    uint64_t batch;
  };
  struct Thread {
    uint64_t batches = 0;      // closed
    std::vector<Asked> asked;  // in order; not made
  };
  Thread& at(unsigned thread);

  std::vector<Thread> threads_;
  unsigned used_ = 0;  // of these, the first ones that may hold something
};

}  // namespace convkit::simt
