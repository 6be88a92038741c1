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
//
// Two cases are so common that they keep no books. Until a thread stops for the first time, all
// those before it have finished (see keep_count()). And when a barrier has opened for the whole
// block, its threads go on in order, and most often to the next barrier in order (a round, see
// stop_at_barrier()).
//
// Kernels that surely never wait, or only at barriers that all threads surely reach, are compiled
// to run all threads of a block in one call (simt/thread_loop.h). The first call for a block offers
// the whole of it; whether the kernel took it is seen when the call returns. Then, if it never
// waits, the next blocks need no preparations either.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "cpu_device/engine/async_copies.h"
#include "cpu_device/engine/fiber.h"
#include "cpu_device/engine/grid.h"
#include "cpu_device/engine/nested_launches.h"
#include "cpu_device/engine/random.h"
#include "cpu_device/engine/stack_pool.h"
#include "simt/block_barriers.h"
#include "simt/device_side.h"
#include "simt/warp_op.h"

extern "C" __thread uint3 convkit_simt_thread_idx
    __attribute__((tls_model("initial-exec"), visibility("default")));

namespace convkit::simt {

inline constexpr unsigned kMaxThreads = 1024;
inline constexpr unsigned kWarpSize = 32;
inline constexpr unsigned kWholeWarp = 0xffffffff;

class BlockRunner {
 public:
  // Runs one block to its end, or to its first fault (see Grid::failed); if the kernel takes whole
  // blocks, also those that follow it in order, `most` together. Returns how many were begun.
  // `worker`: that of a block of a cooperative launch (resident_blocks.h).
  uint64_t run(Grid& grid, uint3 block_index, unsigned worker = 0, uint64_t most = 1);

  // Called by the kernel's threads, on their fibers.
  void barrier(const char* file, int line) { convkit_simt_syncthreads(file, line); }
  unsigned barrier_reduce(unsigned value, int op, const char* file, int line);
  void collective(unsigned mask, ConvkitWarpOp* op) { convkit_simt_warp_collective(mask, op); }
  unsigned active_mask(const void* call_site);
  // Lets other threads of the block go on. False: none could.
  bool yield();
  void let_other_blocks_run();
  void grid_barrier(const char* file, int line);
  // Of a cuda::barrier (simt/block_barriers.h).
  unsigned arrive(ConvkitSimtBarrier& barrier, unsigned count, unsigned fewer, const char* file,
                  int line);
  void wait_for(ConvkitSimtBarrier& barrier, unsigned phase, const char* file, int line);
  // Of PTX (convkit_simt_named_barrier()).
  void named_barrier(unsigned number, unsigned count, bool waits, const char* file, int line);
  // Called at each look at what other threads may change; now and then it lets other blocks go on
  // that wait for a turn.
  void polls();
  // Called in each iteration of a loop that may wait for other threads without saying so. Now and
  // then they run; if that goes on for long, blocks that have not begun do.
  void spins();
  void give_way();
  // What barrier() and collective() do when the running thread has been stopped as `stopped`: the
  // fiber to go on with, perhaps the same. Where a fiber is known only after it has been left,
  // `stopped` is null, null is returned for the same one, and leave() does the rest.
  Fiber stop_at_barrier(const char* file, int line, Fiber stopped);
  // Of a kernel that runs in phases (convkit_simt_block_memory()).
  void barriers_passed(uint64_t barriers) { barriers_ += barriers * count_; }
  void* block_memory(size_t bytes);
  Fiber stop_in_collective(unsigned mask, ConvkitWarpOp* op, Fiber stopped);
  void leave(unsigned thread, Fiber next) { switch_to(fibers_[thread], next); }
  unsigned lane() const { return current_ % kWarpSize; }
  unsigned thread() const { return current_; }
  unsigned worker() const { return worker_; }
  AsyncCopies& async_copies();
  NestedLaunches& nested_launches();
  uint3 block() const { return block_; }

  // Ends the launch with a fault of the running thread. Does not return: the block's fibers are
  // left where they stand.
  [[noreturn]] void abandon(Fault fault);
  // The same where the launch has failed already. Allocates nothing and takes no lock: a signal may
  // have come anywhere.
  [[noreturn]] void leave_block();

  bool in_kernel() const { return running_; }
  bool in_stack_guard(const void* address) const { return stacks_.guards(address); }
  Grid* grid() const { return grid_; }

  // For check mode and the profiler.
  const unsigned* thread_address() const { return &current_; }
  uint3 thread_index(unsigned thread) const { return index_[thread]; }
  std::pair<const char*, int> barrier_site() const { return {barrier_.file, barrier_.line}; }
  BlockThreads threads() const { return {count_, count_ - left_}; }
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
  // Calls the kernel for the block. Returns from which thread on it remains to be run.
  unsigned offer_block();
  void run_next_blocks();
  bool in_whole_block() const;
  [[noreturn]] void waits_in_whole_block();
  void set_up_threads(const Grid& grid);
  void keep_count();
  void finish_thread();
  void prepare_to_wait();
  void wait();
  Fiber choose();
  Fiber turn_to(unsigned thread);
  Fiber fresh_fiber();
  int next_ready();
  Fiber come_to_barrier(unsigned thread, Site site);
  void open_barrier();
  Fiber begin_round();
  void leave_round();
  void check_same_barrier(unsigned thread, Site site);
  [[noreturn]] void mask_without_caller(const ConvkitWarpOp& op);
  [[noreturn]] void warp_incomplete(const ConvkitWarpOp& op, unsigned warp, unsigned lanes);
  void settle_warp(unsigned warp);
  void deliver(Warp& warp, unsigned number, unsigned at);
  [[noreturn]] void nobody_can_go_on();
  [[noreturn]] void not_cooperative(Site site);
  void check_initialised(const ConvkitSimtBarrier& barrier, Site site);
  [[noreturn]] void waits_for_arrivals(const ConvkitSimtBarrier& barrier);
  [[noreturn]] void first_thread_has_returned(Site site);
  Site waiting_place(unsigned thread) const;
  std::string whereabouts(unsigned thread, Site site) const;

  bool is_live(unsigned thread) const { return live_[thread / 64] >> (thread % 64) & 1; }
  unsigned warp_bits(const std::array<uint64_t, kMaxThreads / 64>& set, unsigned warp) const {
    return static_cast<unsigned>(set[warp / 2] >> (warp % 2 * 32));
  }
  void set_ready(unsigned warp, unsigned lanes) {
    ready_[warp / 2] |= uint64_t{lanes} << (warp % 2 * 32);
  }

  // First what a barrier reads.
  unsigned current_ = 0;
  unsigned round_end_ = 0;  // the threads of the block while they are in a round, else 0
  Site barrier_;            // where the first of those at the barrier waits
  Grid* grid_ = nullptr;
  bool running_ = false;
  bool counting_ = false;  // from the first thread that stops
  bool offers_ = false;    // the kernel may take whole blocks
  bool offered_ = false;   // it was called for one, and has not returned
  uint3 block_{};
  Fiber main_ = nullptr;
  unsigned count_ = 0;     // threads of the block
  unsigned next_ = 0;      // of them, the first (in starting order) that has not been started
  unsigned left_ = 0;      // that have not finished
  uint64_t barriers_ = 0;  // threads that passed one, in this block
  unsigned arrived_ = 0;   // at the barrier
  unsigned first_at_barrier_ = 0;
  unsigned reduce_count_ = 0, reduce_result_ = 0;
  unsigned worker_ = 0;         // that runs the block, in a cooperative launch
  unsigned grid_barriers_ = 0;  // that the block has passed
  unsigned polls_ = 0;
  unsigned spins_ = 0;     // iterations since a thread of the block gave way
  bool gave_way_ = false;  // one did
  std::chrono::steady_clock::time_point stalled_since_;
  struct Waiting {
    unsigned thread;
    Site site;
  };
  std::map<ConvkitSimtBarrier*, std::vector<Waiting>> waiting_;  // for a phase to be completed
  std::array<ConvkitSimtBarrier, 16> named_{};                   // of PTX; expected 0: not in use
  std::array<uint64_t, kMaxThreads / 64> ready_{}, live_{};
  // One for each thread, by its number.
  std::array<Fiber, kMaxThreads> fibers_{};
  std::array<uint3, kMaxThreads> index_{};  // its threadIdx
  std::array<Warp, kMaxThreads / kWarpSize> warps_;
  uint3 table_dim_{};            // the block size for which index_ holds
  std::vector<unsigned> order_;  // of starting; empty: as numbered
  std::vector<unsigned> free_stacks_;
  unsigned stacks_made_ = 0;
  unsigned stack_ = 0;  // of the running fiber's start; see fresh_fiber()
  Random random_;
  StackPool stacks_;
  BlockMemory memory_;
  std::unique_ptr<AsyncCopies> async_copies_;        // null until a kernel asks for one
  std::unique_ptr<NestedLaunches> nested_launches_;  // null until a kernel of the block needs it
  uint64_t blocks_begun_ = 0, most_blocks_ = 1;
};

// Of wmma: its callers give no mask.
inline bool needs_whole_warp(const ConvkitWarpOp& op) {
  return op.kind >= kMatrixLoad;
}

extern __thread BlockRunner* g_runner __attribute__((tls_model("initial-exec")));

// The runner of the calling OS thread; null on host threads.
inline BlockRunner* this_runner() {
  return g_runner;
}
inline void set_this_runner(BlockRunner* runner) {
  g_runner = runner;
}

inline Fiber BlockRunner::turn_to(unsigned thread) {
  current_ = thread;
  convkit_simt_thread_idx = index_[thread];
  return fibers_[thread];
}

inline NestedLaunches& BlockRunner::nested_launches() {
  if (!nested_launches_) nested_launches_ = std::make_unique<NestedLaunches>();
  return *nested_launches_;
}

inline AsyncCopies& BlockRunner::async_copies() {
  if (!async_copies_) async_copies_ = std::make_unique<AsyncCopies>();
  return *async_copies_;
}

// Before any other wait than at a barrier.
inline void BlockRunner::prepare_to_wait() {
  if (!counting_) keep_count();
  if (round_end_ != 0) leave_round();
}

// In a round the threads before the running one wait at the next barrier, at barrier_, and those
// after it at the last: their numbers say all that counters and sets would.
inline Fiber BlockRunner::stop_at_barrier(const char* file, int line, Fiber stopped) {
  const unsigned thread = current_, next = thread + 1;
  fibers_[thread] = stopped;
  if (next < round_end_ && line == barrier_.line && file == barrier_.file) {
    // The one after it will be wanted soon: its stack is likely no longer in the nearest cache.
    __builtin_prefetch(fibers_[(next + 1) % kMaxThreads]);
    return turn_to(next);
  }
  return come_to_barrier(thread, {file, line});
}

}  // namespace convkit::simt
