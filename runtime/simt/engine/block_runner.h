// SPDX-License-Identifier: MIT
// Runs the threads of one block as fibers on the calling OS thread.
//
// Theory of operation. A fiber runs thread after thread of the block, from the first that has not
// been started. A thread that finishes without waiting leaves its stack to the next, so a kernel
// without barriers runs on one stack, one call a thread. A thread that must wait (at a barrier or
// in a warp collective) stops its fiber; then the rest of the threads are started on a fresh fiber,
// and when all have been started, the next that is ready goes on. Ready threads are bits in a set,
// looked through in the order of threads, so that a run is repeated exactly. A barrier opens when
// as many threads have come as are left: threads that returned early are not waited for.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simt/device_side.h"
#include "simt/engine/fiber.h"
#include "simt/engine/grid.h"
#include "simt/engine/random.h"
#include "simt/engine/stack_pool.h"

namespace convkit::simt {

inline constexpr unsigned kMaxThreads = 1024;
inline constexpr unsigned kWarpSize = 32;

class BlockRunner {
 public:
  // Runs one block to its end, or to its first fault (see Grid::failed).
  void run(Grid& grid, uint3 block_index);

  // Called by the kernel's threads, on their fibers.
  void barrier(const char* file, int line);
  unsigned barrier_reduce(unsigned value, int op, const char* file, int line);
  void collective(unsigned mask, ConvkitWarpOp* op);
  unsigned active_mask(const void* call_site);
  void yield();
  unsigned lane() const { return current_ % kWarpSize; }
  unsigned thread() const { return current_; }

  // Ends the launch with a fault of the running thread. Does not return: the block's fibers are
  // left where they stand.
  [[noreturn]] void abandon(Fault fault);

  bool in_kernel() const { return running_; }
  bool in_stack_guard(const void* address) const { return stacks_.guards(address); }
  Grid* grid() const { return grid_; }

  // For check mode.
  const unsigned* thread_address() const { return &current_; }
  uint3 thread_index(unsigned thread) const { return index_[thread]; }
  bool in_stacks(const void* address) const { return stacks_.holds(address); }

  std::string place() const;

 private:
  // The lanes of one warp that have arrived for one collective.
  struct Group {
    unsigned mask = 0;
    unsigned arrived = 0;
  };
  struct Warp {
    std::array<Group, kWarpSize> groups;
    unsigned group_count = 0;
    unsigned converging = 0;  // lanes in active_mask()
    std::array<ConvkitWarpOp*, kWarpSize> op;
    std::array<const void*, kWarpSize> site;  // of active_mask()
    std::array<unsigned, kWarpSize> active;   // its answer
  };
  struct Site {
    const char* file = nullptr;
    int line = 0;
  };

  static void enter(void* runner) { static_cast<BlockRunner*>(runner)->start_threads(); }
  [[noreturn]] void start_threads();
  void set_up_threads(const Grid& grid);
  void finish_thread();
  void wait();
  Fiber choose();
  Fiber fresh_fiber();
  int next_ready();
  void open_barrier();
  void check_same_barrier(unsigned thread);
  void settle_warp(unsigned warp);
  void deliver(Warp& warp, unsigned number, unsigned at);
  [[noreturn]] void nobody_can_go_on();
  std::string whereabouts(unsigned thread) const;

  bool is_live(unsigned thread) const { return live_[thread / 64] >> (thread % 64) & 1; }
  unsigned warp_bits(const std::array<uint64_t, kMaxThreads / 64>& set, unsigned warp) const {
    return static_cast<unsigned>(set[warp / 2] >> (warp % 2 * 32));
  }
  void set_ready(unsigned warp, unsigned lanes) {
    ready_[warp / 2] |= uint64_t{lanes} << (warp % 2 * 32);
  }

  Grid* grid_ = nullptr;
  bool running_ = false;
  uint3 block_{};
  Fiber main_ = nullptr;
  unsigned count_ = 0;     // threads of the block
  unsigned next_ = 0;      // of them, the first (in starting order) that has not been started
  unsigned left_ = 0;      // that have not finished
  uint64_t barriers_ = 0;  // threads that passed one, in this block
  unsigned arrived_ = 0;   // at the barrier
  unsigned current_ = 0;
  unsigned first_at_barrier_ = 0;
  Site barrier_;  // where that one waits
  unsigned reduce_count_ = 0, reduce_result_ = 0;
  std::array<uint64_t, kMaxThreads / 64> ready_{}, live_{}, at_barrier_{};
  // Of each thread, by its number. Arrays apart, because a barrier reads only the first two.
  std::array<Fiber, kMaxThreads> fibers_{};
  std::array<uint3, kMaxThreads> index_{};  // its threadIdx
  std::array<Site, kMaxThreads> waits_{};   // where it waits
  std::array<Warp, kMaxThreads / kWarpSize> warps_;
  uint3 table_dim_{};            // the block size for which index_ holds
  std::vector<unsigned> order_;  // of starting; empty: as numbered
  std::vector<unsigned> free_stacks_;
  unsigned stacks_made_ = 0;
  unsigned stack_ = 0;  // of the running fiber's start; see fresh_fiber()
  Random random_;
  StackPool stacks_;
};

extern __thread BlockRunner* g_runner __attribute__((tls_model("initial-exec")));

// The runner of the calling OS thread; null on host threads.
inline BlockRunner* this_runner() {
  return g_runner;
}
inline void set_this_runner(BlockRunner* runner) {
  g_runner = runner;
}

}  // namespace convkit::simt
