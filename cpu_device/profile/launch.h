// SPDX-License-Identifier: MIT
// The launch that is being profiled: what its threads access is collected.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "cpu_device/check/present.h"
#include "cpu_device/engine/block_runner.h"
#include "cpu_device/engine/grid.h"
#include "cpu_device/profile/collect.h"
#include "cpu_device/profile/loop_path.h"
#include "cpu_device/profile/trace.h"

namespace convkit::simt::profile {

// Counts the basic blocks that the threads of the running launch pass.
class PassedBlocks {
 public:
  // Counts a block, and tells where it is. `pc` is the return address of the call that counts it.
  // This is what costs time: it is called for each block of each thread.
  CodePlace pass(uintptr_t pc) {
    if (pc - code_.begin >= code_.bytes && !turn_to(pc)) return {};
    Block& block = code_.blocks[pc - code_.begin];
    if (block.passed++ == 0) passed_.push_back(pc);
    return block.place;
  }

  // Adds what has been counted since the last call to `sums`, by `pc`.
  void take(std::map<uintptr_t, uint64_t>& sums);

  // From now on, pass() knows the loops of the program or library that holds `pc`. Takes a large
  // stack.
  void find_loops(uintptr_t pc);
  const OuterLoops& outer_loops() const { return outer_; }

 private:
  struct Block {
    uint64_t passed;
    CodePlace place;
  };
  // One for each byte of a segment with code. Memory is only taken where a block begins.
  struct Code {
    uintptr_t begin = 0;
    size_t bytes = 0;
    Block* blocks = nullptr;
  };
  bool turn_to(uintptr_t pc);

  Code code_;  // that ran last
  std::vector<Code> codes_;
  std::vector<uintptr_t> passed_;
  std::set<uintptr_t> searched_;  // for loops: where these segments begin
  OuterLoops outer_{0};
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
  std::array<LoopPath, kMaxThreads> loops;  // of each thread of the block

  void add(Instruction instruction, uintptr_t at, unsigned size) {
    const uint64_t path = loops[*thread].path();
    if (*thread / kLanes == traced_warp) {
      trace.access(*thread % kLanes, instruction, path, at, size);
    }
    collector.access(*thread, instruction, path, at, size);
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

// The running thread begins a basic block; `pc` as above. `stack` is where its stack ends.
inline void passed(uintptr_t pc, uintptr_t stack) {
  if (check::this_os_thread() != running.os_thread) return;
  const CodePlace place = running.blocks.pass(pc);
  running.loops[*running.thread].pass(place, stack, running.blocks.outer_loops());
}

}  // namespace convkit::simt::profile
