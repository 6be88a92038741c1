// SPDX-License-Identifier: MIT
// The launch that is being profiled: what its threads access is collected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "cpu_device/check/present.h"
#include "cpu_device/engine/grid.h"
#include "cpu_device/profile/collect.h"
#include "cpu_device/profile/trace.h"

namespace convkit::simt::profile {

// Counts the basic blocks that the threads of the running launch pass.
class PassedBlocks {
 public:
  // `pc` is the return address of the call that counts the block. This is what costs time: it is
  // called for each block of each thread.
  void pass(uintptr_t pc) {
    const uintptr_t offset = pc - code_.begin;
    if (offset >= code_.bytes) {
      turn_to(pc);
      return;
    }
    if (code_.counts[offset]++ == 0) passed_.push_back(pc);
  }

  // Adds what has been counted since the last call to `sums`, by `pc`.
  void take(std::map<uintptr_t, uint64_t>& sums);

 private:
  // A counter for each byte of a segment with code. Memory is only taken where one counts.
  struct Code {
    uintptr_t begin = 0;
    size_t bytes = 0;
    uint64_t* counts = nullptr;
  };
  void turn_to(uintptr_t pc);

  Code code_;  // that ran last
  std::vector<Code> codes_;
  std::vector<uintptr_t> passed_;
};

// Called by the worker that runs the launch; there is one, and blocks run one after the other.
void launch_begins(const Grid& grid);
void launch_ends(const Grid& grid);
void block_begins(uint3 block);
// A block of a cooperative launch stops where it is, and goes on: after others have run.
void block_leaves();
void block_resumes(uint3 block);
void block_ends();
void barrier_opens();
void warp_meets(unsigned warp, unsigned lanes, unsigned live);

enum class Access { load, store, atomic };

// The launch that runs, as far as each access asks for it.
struct Running {
  uintptr_t os_thread = 0;           // that runs it; 0: none runs
  const unsigned* thread = nullptr;  // the number of the thread in its block
  uintptr_t device_begin = 0;
  size_t device_bytes = 0;
  Collector collector;
  unsigned traced_warp = ~0u;  // of the block that runs; of none
  Trace trace;
  PassedBlocks blocks;

  void add(Instruction instruction, uintptr_t at, unsigned size) {
    if (*thread / kLanes == traced_warp) trace.access(*thread % kLanes, instruction, at, size);
    collector.access(*thread, instruction, at, size);
  }
};
extern Running& running;  // is there until the process ends

constexpr Kind in_device_memory(Access access) {
  return access == Access::load    ? Kind::global_load
         : access == Access::store ? Kind::global_store
                                   : Kind::global_atomic;
}

// Of memory that is not the device's, or in more than one part.
void accessed_otherwise(uintptr_t at, size_t size, Access access, uintptr_t pc);

// An access of the running thread; `pc` is the return address into the program. Nothing is counted
// for host code, and of a thread's own stack, the kernel's arguments, and threadIdx and its like.
inline void accessed(uintptr_t at, size_t size, Access access, uintptr_t pc) {
  if (check::this_os_thread() != running.os_thread) return;
  const bool whole = (size & (size - 1)) == 0 && size - 1 < 16 && (at & (size - 1)) == 0;
  if (!whole || at - running.device_begin >= running.device_bytes) {
    accessed_otherwise(at, size, access, pc);
    return;
  }
  running.add({pc, in_device_memory(access)}, at, static_cast<unsigned>(size));
}

// The running thread begins a basic block; `pc` as above.
inline void passed(uintptr_t pc) {
  if (check::this_os_thread() == running.os_thread) running.blocks.pass(pc);
}

}  // namespace convkit::simt::profile
