// SPDX-License-Identifier: MIT
#include "cpu_device/engine/block_runner.h"

#include <bit>
#include <thread>

#include "cpu_device/engine/counts.h"
#include "cpu_device/engine/hooks.h"
#include "cpu_device/engine/resident_blocks.h"
#include "cpu_device/engine/workers.h"

extern "C" {
// threadIdx and its companions (simt/builtin_variables.h).
#define CONVKIT_SIMT_DEFINE(name) \
  __thread uint3 name __attribute__((tls_model("initial-exec"), visibility("default")))
CONVKIT_SIMT_DEFINE(convkit_simt_thread_idx);
CONVKIT_SIMT_DEFINE(convkit_simt_block_idx);
CONVKIT_SIMT_DEFINE(convkit_simt_block_dim);
CONVKIT_SIMT_DEFINE(convkit_simt_grid_dim);
#undef CONVKIT_SIMT_DEFINE
__thread unsigned char convkit_simt_whole_block
    __attribute__((tls_model("initial-exec"), visibility("default")));
}

namespace convkit::simt {
__thread BlockRunner* g_runner = nullptr;

namespace {

// simt/thread_loop.h counts on it.
constexpr unsigned kMostWholeBlocks = 1 << 20;

// Check mode and the profiler ask which thread runs, and a shuffled order is the engine's own.
bool may_offer_blocks(const Grid& grid) {
  return !check_hooks && grid.seed == 0 && grid.blocks_dim.x <= kMostWholeBlocks;
}

// The block after it, in the order of blocks.
void step(uint3& block, uint3 blocks) {
  if (++block.x < blocks.x) return;
  block.x = 0;
  if (++block.y < blocks.y) return;
  block.y = 0;
  ++block.z;
}

}  // namespace

void BlockRunner::set_up_threads(const Grid& grid) {
  const uint3 dim = grid.threads_dim;
  if (dim.x != table_dim_.x || dim.y != table_dim_.y || dim.z != table_dim_.z) {
    table_dim_ = dim;
    unsigned i = 0;
    for (unsigned z = 0; z < dim.z; ++z) {
      for (unsigned y = 0; y < dim.y; ++y) {
        for (unsigned x = 0; x < dim.x; ++x) index_[i++] = uint3{x, y, z};
      }
    }
    convkit_simt_block_dim = dim;
  }
  for (unsigned w = 0; w < ready_.size(); ++w) {
    ready_[w] = 0;
    const unsigned below = 64 * w;
    live_[w] = grid.threads <= below        ? 0
               : grid.threads >= below + 64 ? ~uint64_t{0}
                                            : (uint64_t{1} << (grid.threads - below)) - 1;
  }
  const unsigned warps = (grid.threads + kWarpSize - 1) / kWarpSize;
  for (unsigned w = 0; w < warps; ++w) {
    warps_[w].group_count = 0;
    warps_[w].converging = 0;
  }
}

uint64_t BlockRunner::run(Grid& grid, uint3 block_index, unsigned worker, uint64_t most) {
  grid_ = &grid;
  block_ = block_index;
  worker_ = worker;
  count_ = grid.threads;
  // A block before this one may have been abandoned anywhere.
  next_ = arrived_ = reduce_count_ = 0;
  if (async_copies_) async_copies_->forget();
  nested_launches_.reset();
  if (!waiting_.empty()) waiting_.clear();
  named_.fill({});
  memory_.reset();
  barriers_ = 0;
  spins_ = 0;
  gave_way_ = false;
  left_ = count_;
  round_end_ = 0;
  counting_ = offered_ = false;
  convkit_simt_whole_block = 0;
  offers_ = may_offer_blocks(grid);
  blocks_begun_ = 1;
  most_blocks_ = most;
  set_up_threads(grid);
  convkit_simt_block_idx = block_index;
  convkit_simt_grid_dim = grid.blocks_dim;
  order_.clear();
  if (grid.seed != 0) {
    const uint64_t number = block_number(block_index, grid.blocks_dim);
    random_ = Random(grid.seed ^ number * 0x9e3779b97f4a7c15);
    const uint64_t seed = random_.next();
    for (unsigned i = 0; i < count_; ++i) {
      order_.push_back(static_cast<unsigned>(shuffled(i, count_, seed)));
    }
  }
  free_stacks_.clear();
  stacks_made_ = 0;
  running_ = true;
  if (check_hooks) check_hooks->block_begins(block_index);
  switch_to(main_, fresh_fiber());
  if (check_hooks && !grid.failed) check_hooks->block_ends();
  if (nested_launches_ && !grid.failed) nested_launches_->tell_unread();
  running_ = false;
  if (barriers_ != 0) {
    counts().barriers += barriers_;
    barriers_ = 0;
  }
  return blocks_begun_;
}

Fiber BlockRunner::fresh_fiber() {
  unsigned stack;
  if (free_stacks_.empty()) {
    stack = stacks_made_++;
  } else {
    stack = free_stacks_.back();
    free_stacks_.pop_back();
  }
  stack_ = stack;
  return make_fiber(stacks_.top(stack), kStackBytes / 2, &enter, this);
}

// Inlined, so that the first thread has the frame of the others.
inline __attribute__((always_inline)) unsigned BlockRunner::offer_block() {
  current_ = 0;
  convkit_simt_thread_idx = index_[0];
  convkit_simt_whole_block = 1;
  offered_ = true;
  grid_->invoke(grid_->arguments.data());
  const bool taken = in_whole_block();
  if (convkit_simt_whole_block == 0) run_next_blocks();
  offered_ = false;
  convkit_simt_whole_block = 0;
  return taken ? count_ : 1;
}

void BlockRunner::start_threads() {
  const unsigned stack = stack_;
  const auto invoke = grid_->invoke;
  const void* const arguments = grid_->arguments.data();
  if (!counting_ && order_.empty()) {
    for (unsigned thread = offers_ ? offer_block() : 0; thread < count_ && !counting_; ++thread) {
      current_ = thread;
      convkit_simt_thread_idx = index_[thread];
      invoke(arguments);
    }
    if (counting_) {
      finish_thread();
    } else {
      next_ = count_;
      left_ = 0;
    }
  }
  while (next_ < count_) {
    const unsigned thread = order_.empty() ? next_ : order_[next_];
    ++next_;
    current_ = thread;
    convkit_simt_thread_idx = index_[thread];
    invoke(arguments);
    if (!counting_) keep_count();
    finish_thread();
  }
  free_stacks_.push_back(stack);
  Fiber forgotten;
  switch_to(forgotten, left_ == 0 ? main_ : choose());
  __builtin_unreachable();
}

// The kernel takes whole blocks and never waits: then it has no shared memory, and leaves nothing
// behind here.
void BlockRunner::run_next_blocks() {
  const auto invoke = grid_->invoke;
  const void* const arguments = grid_->arguments.data();
  uint3 block = block_;  // in registers: loading what was just stored in parts takes long
  while (blocks_begun_ < most_blocks_ && !grid_->failed.load(std::memory_order_relaxed)) {
    ++blocks_begun_;
    step(block, grid_->blocks_dim);
    block_ = block;
    convkit_simt_block_idx = block;
    convkit_simt_whole_block = 1;
    invoke(arguments);
  }
}

// Which of its threads runs is not known then.
bool BlockRunner::in_whole_block() const {
  return offered_ && convkit_simt_whole_block != 1;
}

// The running thread is the first to stop (or, in a shuffled order, to end). Those started before
// it have finished.
void BlockRunner::keep_count() {
  if (in_whole_block()) waits_in_whole_block();
  counting_ = true;
  if (!order_.empty()) return;
  next_ = current_ + 1;
  left_ = count_ - current_;
  for (unsigned thread = 0; thread < current_; ++thread) {
    live_[thread / 64] &= ~(uint64_t{1} << (thread % 64));
  }
}

void BlockRunner::finish_thread() {
  if (round_end_ != 0) leave_round();
  const unsigned thread = current_;
  live_[thread / 64] &= ~(uint64_t{1} << (thread % 64));
  --left_;
  if (arrived_ != 0 && arrived_ == left_) open_barrier();
  const unsigned warp = thread / kWarpSize;
  if (warps_[warp].group_count != 0 || warps_[warp].converging != 0) settle_warp(warp);
}

// Stops the running thread until somebody has marked it ready.
void BlockRunner::wait() {
  const unsigned thread = current_;
  fibers_[thread] = nullptr;  // what choose() returns if its turn is next
  if (Fiber next = choose()) leave(thread, next);
}

// Who runs next; takes it out of the ready set.
Fiber BlockRunner::choose() {
  // Most often the next in order.
  const unsigned next = current_ + 1;
  if (next < count_ && (ready_[next / 64] >> (next % 64) & 1) && next_ == count_ &&
      order_.empty()) {
    ready_[next / 64] &= ~(uint64_t{1} << (next % 64));
    __builtin_prefetch(fibers_[(next + 1) % kMaxThreads]);
    return turn_to(next);
  }
  if (next_ < count_ && (order_.empty() || random_.below(4) != 0)) return fresh_fiber();
  int thread = next_ready();
  if (thread < 0) {
    if (next_ < count_) return fresh_fiber();
    // Lanes that ask which lanes are active get their answer when no other lane can arrive.
    for (unsigned w = 0; w * kWarpSize < count_; ++w) {
      if (warps_[w].converging != 0) settle_warp(w);
    }
    thread = next_ready();
    if (thread < 0) nobody_can_go_on();
  }
  const auto at = static_cast<unsigned>(thread);
  ready_[at / 64] &= ~(uint64_t{1} << (at % 64));
  return turn_to(at);
}

int BlockRunner::next_ready() {
  const unsigned words = (count_ + 63) / 64;
  // The first that is ready, from here on and round.
  const unsigned from =
      order_.empty() ? (current_ + 1) % count_ : static_cast<unsigned>(random_.below(count_));
  unsigned w = from / 64;
  uint64_t bits = ready_[w] & ~uint64_t{0} << (from % 64);
  for (unsigned turns = 0; turns <= words; ++turns) {
    if (bits != 0) return static_cast<int>(64 * w) + std::countr_zero(bits);
    w = w + 1 == words ? 0 : w + 1;
    bits = ready_[w];
  }
  return -1;
}

__attribute__((noinline)) Fiber BlockRunner::come_to_barrier(unsigned thread, Site site) {
  if (!counting_) keep_count();
  const bool in_round = round_end_ != 0;
  if (in_round ? thread == 0 : arrived_ == 0) {
    first_at_barrier_ = thread;
    barrier_ = site;
  } else if (site.line != barrier_.line || site.file != barrier_.file) {
    check_same_barrier(thread, site);
  }
  if (in_round) return thread + 1 == count_ ? begin_round() : turn_to(thread + 1);
  if (++arrived_ != left_) return choose();
  if (left_ == count_ && order_.empty()) return begin_round();
  open_barrier();
  // The first goes on first.
  if (order_.empty()) current_ = count_ - 1;
  return choose();
}

// All that are left have come to the barrier.
void BlockRunner::open_barrier() {
  barriers_ += arrived_;
  if (check_hooks) check_hooks->barrier_opens();
  arrived_ = 0;
  const unsigned words = (count_ + 63) / 64;
  for (unsigned w = 0; w < words; ++w) ready_[w] |= live_[w];
}

// The whole block has come to the barrier.
Fiber BlockRunner::begin_round() {
  if (check_hooks) check_hooks->barrier_opens();
  barriers_ += count_;
  arrived_ = 0;
  round_end_ = count_;
  barrier_.line = -1;  // nobody's, so that the first at the next barrier sets it
  return turn_to(0);
}

// The running thread does something else than come to the next barrier.
void BlockRunner::leave_round() {
  round_end_ = 0;
  first_at_barrier_ = 0;
  arrived_ = current_;
  for (unsigned thread = current_ + 1; thread < count_; thread = (thread / 64 + 1) * 64) {
    ready_[thread / 64] = live_[thread / 64] & ~uint64_t{0} << (thread % 64);
  }
}

unsigned BlockRunner::barrier_reduce(unsigned value, int op, const char* file, int line) {
  if (reduce_count_ == 0) reduce_result_ = op == 1 ? 1 : 0;
  ++reduce_count_;
  const unsigned truth = value != 0;
  reduce_result_ = op == 0   ? reduce_result_ + truth
                   : op == 1 ? (reduce_result_ & truth)
                             : (reduce_result_ | truth);
  barrier(file, line);
  const unsigned result = reduce_result_;
  reduce_count_ = 0;
  // Nobody may begin the next reduction before all have read this one.
  barrier(file, line);
  return result;
}

// When the block is complete, the first of its threads that goes on waits for the other blocks, and
// no other can run meanwhile.
void BlockRunner::grid_barrier(const char* file, int line) {
  if (!grid_->resident) not_cooperative({file, line});
  const unsigned passed = grid_barriers_;
  barrier(file, line);
  if (grid_barriers_ != passed) return;
  ++grid_barriers_;
  if (!is_live(0)) first_thread_has_returned({file, line});
  if (!grid_->resident->meet(worker_, file, line)) leave_block();
}

void BlockRunner::polls() {
  constexpr unsigned kLooks = 512;
  if (!grid_->resident || ++polls_ % kLooks != 0) return;
  if (!grid_->resident->give_way(worker_)) leave_block();
}

void BlockRunner::spins() {
  // A loop that works, and one that seems to wait.
  constexpr unsigned kIterations = 256, kFurther = 16;
  if (++spins_ < (gave_way_ ? kFurther : kIterations)) return;
  spins_ = 0;
  give_way();
}

void BlockRunner::give_way() {
  constexpr auto kPatience = std::chrono::milliseconds(20);
  const bool alone = !yield();
  if (check_hooks) return let_other_blocks_run();
  const auto now = std::chrono::steady_clock::now();
  if (!gave_way_) stalled_since_ = now;
  gave_way_ = true;
  if (now - stalled_since_ > kPatience) {
    stalled_since_ = now;
    ask_for_worker(*grid_);
  }
  // What is left is to wait for another block, which needs a core.
  if (alone) std::this_thread::yield();
}

// By the number of times, not by the time that has passed: a run is repeated exactly.
void BlockRunner::let_other_blocks_run() {
  constexpr unsigned kPatience = 64;
  gave_way_ = true;
  if (grid_->resident || ++polls_ % kPatience != 0 || !others_can_run(*grid_)) return;
  check_hooks->block_leaves();
  if (!let_others_run(*grid_)) leave_block();
  check_hooks->block_resumes(block_);
}

bool BlockRunner::yield() {
  prepare_to_wait();
  const unsigned thread = current_;
  ready_[thread / 64] |= uint64_t{1} << (thread % 64);
  fibers_[thread] = nullptr;
  Fiber next = choose();
  if (next) leave(thread, next);
  return next != nullptr;
}

void* BlockRunner::block_memory(size_t bytes) {
  void* memory = memory_.take(bytes);
  if (memory) return memory;
  Fault fault;
  fault.error = cudaErrorMemoryAllocation;
  fault.kind = "out_of_memory";
  fault.sentence = "there is no memory for the local variables of the block's threads.";
  fault.advice = "Large per-thread arrays belong in global memory.";
  abandon(std::move(fault));
}

void BlockRunner::abandon(Fault fault) {
  grid_->fail(std::move(fault), place());
  leave_block();
}

void BlockRunner::leave_block() {
  Fiber forgotten;
  switch_to(forgotten, main_);
  __builtin_unreachable();
}

std::string BlockRunner::place() const {
  if (in_whole_block()) return grid_->place(block_);
  return grid_->place(block_, index_[current_]);
}

}  // namespace convkit::simt
