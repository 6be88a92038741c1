// SPDX-License-Identifier: MIT
#include "simt/engine/block_runner.h"

#include <bit>
#include <cstring>

#include "simt/engine/counts.h"

#include "simt/engine/hooks.h"

extern "C" {
// threadIdx and its companions (simt/builtin_variables.h).
#define CONVKIT_SIMT_DEFINE(name) \
  __thread uint3 name __attribute__((tls_model("initial-exec"), visibility("default")))
CONVKIT_SIMT_DEFINE(convkit_simt_thread_idx);
CONVKIT_SIMT_DEFINE(convkit_simt_block_idx);
CONVKIT_SIMT_DEFINE(convkit_simt_block_dim);
CONVKIT_SIMT_DEFINE(convkit_simt_grid_dim);
#undef CONVKIT_SIMT_DEFINE
}

namespace convkit::simt {
namespace {

bool same_site(const char* a_file, int a_line, const char* b_file, int b_line) {
  return a_line == b_line && (a_file == b_file || std::strcmp(a_file, b_file) == 0);
}

}  // namespace

__thread BlockRunner* g_runner = nullptr;

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

void BlockRunner::run(Grid& grid, uint3 block_index) {
  grid_ = &grid;
  block_ = block_index;
  count_ = grid.threads;
  // A block before this one may have been abandoned anywhere.
  next_ = arrived_ = reduce_count_ = 0;
  barriers_ = 0;
  left_ = count_;
  set_up_threads(grid);
  convkit_simt_block_idx = block_index;
  convkit_simt_grid_dim = grid.blocks_dim;
  order_.clear();
  if (grid.seed != 0) {
    const uint64_t number =
        block_index.x +
        uint64_t{grid.blocks_dim.x} * (block_index.y + uint64_t{grid.blocks_dim.y} * block_index.z);
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
  running_ = false;
  if (barriers_ != 0) {
    counts().barriers += barriers_;
    barriers_ = 0;
  }
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

void BlockRunner::start_threads() {
  const unsigned stack = stack_;
  while (next_ < count_) {
    const unsigned thread = order_.empty() ? next_ : order_[next_];
    ++next_;
    current_ = thread;
    convkit_simt_thread_idx = index_[thread];
    grid_->invoke(grid_->arguments.data());
    finish_thread();
  }
  free_stacks_.push_back(stack);
  Fiber forgotten;
  if (left_ == 0) {
    switch_to(forgotten, main_);
  } else {
    switch_to(forgotten, choose());
  }
  __builtin_unreachable();
}

void BlockRunner::finish_thread() {
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
  Fiber next = choose();
  if (next == nullptr) return;  // it is ready itself, and its turn
  switch_to(fibers_[thread], next);
  current_ = thread;
  convkit_simt_thread_idx = index_[thread];
}

// Who runs next; takes it out of the ready set. Null: the running thread itself.
Fiber BlockRunner::choose() {
  if (next_ < count_ && (order_.empty() || random_.below(4) != 0)) return fresh_fiber();
  int thread = next_ready();
  if (thread < 0) {
    if (next_ < count_) return fresh_fiber();
    // Lanes that ask who is with them have their answer when nobody else can come.
    for (unsigned w = 0; w * kWarpSize < count_; ++w) {
      if (warps_[w].converging != 0) settle_warp(w);
    }
    thread = next_ready();
    if (thread < 0) nobody_can_go_on();
  }
  const auto at = static_cast<unsigned>(thread);
  ready_[at / 64] &= ~(uint64_t{1} << (at % 64));
  if (at == current_ && is_live(at)) return nullptr;
  return fibers_[at];
}

int BlockRunner::next_ready() {
  const unsigned words = (count_ + 63) / 64;
  if (!order_.empty()) {
    unsigned total = 0;
    for (unsigned w = 0; w < words; ++w) total += static_cast<unsigned>(std::popcount(ready_[w]));
    if (total == 0) return -1;
    auto skip = static_cast<unsigned>(random_.below(total));
    for (unsigned w = 0; w < words; ++w) {
      uint64_t bits = ready_[w];
      const auto here = static_cast<unsigned>(std::popcount(bits));
      if (skip >= here) {
        skip -= here;
        continue;
      }
      while (skip-- > 0) bits &= bits - 1;
      return static_cast<int>(64 * w) + std::countr_zero(bits);
    }
  }
  unsigned w = current_ / 64;
  uint64_t bits = ready_[w] & ~uint64_t{0} << (current_ % 64) & ~(uint64_t{1} << (current_ % 64));
  for (unsigned turns = 0; turns <= words; ++turns) {
    if (bits != 0) return static_cast<int>(64 * w) + std::countr_zero(bits);
    w = w + 1 == words ? 0 : w + 1;
    bits = ready_[w];
  }
  return -1;
}

void BlockRunner::open_barrier() {
  barriers_ += arrived_;
  if (check_hooks) check_hooks->barrier_opens();
  arrived_ = 0;
  const unsigned words = (count_ + 63) / 64;
  for (unsigned w = 0; w < words; ++w) ready_[w] |= live_[w];
}

void BlockRunner::barrier(const char* file, int line) {
  const unsigned thread = current_;
  waits_[thread] = {file, line};
  if (arrived_ == 0) {
    first_at_barrier_ = thread;
    barrier_ = {file, line};
  } else if (line != barrier_.line || file != barrier_.file) {
    check_same_barrier(thread);
  }
  unsigned next;
  if (++arrived_ == left_) {
    open_barrier();
    // All have come: the round begins again with the first.
    if (order_.empty()) current_ = count_ - 1;
    next = static_cast<unsigned>(next_ready());
    current_ = thread;
  } else {
    // Most often the next thread in order is the one to go on.
    next = thread + 1;
    if (next >= count_ || next_ < count_ || !order_.empty() ||
        !(ready_[next / 64] >> (next % 64) & 1)) {
      wait();
      return;
    }
  }
  ready_[next / 64] &= ~(uint64_t{1} << (next % 64));
  if (next == thread) return;
  // The one after it will be wanted soon: its stack is likely no longer in the nearest cache.
  __builtin_prefetch(fibers_[(next + 1) % kMaxThreads]);
  switch_to(fibers_[thread], fibers_[next]);
  current_ = thread;
  convkit_simt_thread_idx = index_[thread];
}

void BlockRunner::check_same_barrier(unsigned thread) {
  if (same_site(barrier_.file, barrier_.line, waits_[thread].file, waits_[thread].line)) return;
  Fault fault;
  fault.error = cudaErrorLaunchFailure;
  fault.kind = "divergent_barrier";
  fault.sentence =
      "threads of one block wait at different __syncthreads(): " + whereabouts(thread) + ", " +
      whereabouts(first_at_barrier_) + ".";
  fault.advice =
      "Every thread of the block must reach the same barrier: take __syncthreads() out of the "
      "branch.";
  abandon(std::move(fault));
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

void BlockRunner::deliver(Warp& warp, unsigned number, unsigned at) {
  const unsigned lanes = warp.groups[at].arrived;
  warp.groups[at] = warp.groups[--warp.group_count];
  std::array<ConvkitWarpOp*, kWarpSize> taking_part{};
  const ConvkitWarpOp* first = nullptr;
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    taking_part[lane] = warp.op[lane];
    if (!first) first = warp.op[lane];
    if (warp.op[lane]->kind != first->kind) {
      Fault fault;
      fault.error = cudaErrorLaunchFailure;
      fault.kind = "shuffle_mask";
      fault.sentence =
          "lanes that name each other in their masks are in different warp functions: " +
          site_text(first->file, first->line) + " and " +
          site_text(warp.op[lane]->file, warp.op[lane]->line) + ".";
      fault.advice = "All lanes of a mask must call the same function.";
      abandon(std::move(fault));
    }
  }
  first->deliver(taking_part.data(), lanes);
  if (check_hooks) check_hooks->warp_meets(number, lanes, warp_bits(live_, number));
  set_ready(number, lanes);
}

// After a lane has exited or stopped: does that complete what others wait for?
void BlockRunner::settle_warp(unsigned number) {
  Warp& warp = warps_[number];
  const unsigned live = warp_bits(live_, number);
  for (unsigned g = 0; g < warp.group_count;) {
    const Group& group = warp.groups[g];
    if ((group.mask & live) == group.arrived) {
      deliver(warp, number, g);
    } else {
      ++g;
    }
  }
  // Lanes in active_mask() wait until every other lane of the warp has exited or waits, too.
  if (warp.converging == 0) return;
  const unsigned begin = number * kWarpSize;
  for (unsigned i = next_; i < count_; ++i) {
    const unsigned thread = order_.empty() ? i : order_[i];
    if (thread / kWarpSize == number) return;
    if (order_.empty() && thread >= begin + kWarpSize) break;
  }
  if ((warp_bits(ready_, number) & live) != 0) return;
  if (current_ / kWarpSize == number && is_live(current_) &&
      !(warp.converging >> (current_ % kWarpSize) & 1)) {
    return;
  }
  // One call site after the other: those who stand at the first lane's are the active ones.
  const auto leader = static_cast<unsigned>(std::countr_zero(warp.converging));
  unsigned together = 0;
  for (unsigned rest = warp.converging; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    if (warp.site[lane] == warp.site[leader]) together |= 1u << lane;
  }
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if (together >> lane & 1) warp.active[lane] = together;
  }
  warp.converging &= ~together;
  set_ready(number, together);
}

void BlockRunner::collective(unsigned mask, ConvkitWarpOp* op) {
  const unsigned thread = current_;
  const unsigned number = thread / kWarpSize, lane = thread % kWarpSize;
  if (!(mask >> lane & 1)) {
    Fault fault;
    fault.error = cudaErrorLaunchFailure;
    fault.kind = "shuffle_mask";
    fault.sentence = "a warp function at " + site_text(op->file, op->line) + " is called by lane " +
                     std::to_string(lane) + ", which its mask does not name.";
    fault.advice = "The mask names the lanes that take part, the caller among them.";
    abandon(std::move(fault));
  }
  Warp& warp = warps_[number];
  warp.op[lane] = op;
  unsigned g = 0;
  while (g < warp.group_count && warp.groups[g].mask != mask) ++g;
  if (g == warp.group_count) warp.groups[warp.group_count++] = {mask, 0};
  warp.groups[g].arrived |= 1u << lane;
  if (warp.groups[g].arrived == (mask & warp_bits(live_, number))) {
    deliver(warp, number, g);
    ready_[thread / 64] &= ~(uint64_t{1} << (thread % 64));
    return;
  }
  waits_[thread].file = op->file;
  waits_[thread].line = op->line;
  wait();
}

unsigned BlockRunner::active_mask(const void* call_site) {
  const unsigned thread = current_;
  Warp& warp = warps_[thread / kWarpSize];
  const unsigned lane = thread % kWarpSize;
  warp.site[lane] = call_site;
  warp.converging |= 1u << lane;
  waits_[thread].file = nullptr;
  wait();
  return warp.active[lane];
}

void BlockRunner::yield() {
  ready_[current_ / 64] |= uint64_t{1} << (current_ % 64);
  wait();
}

void BlockRunner::abandon(Fault fault) {
  grid_->fail(std::move(fault), place());
  Fiber forgotten;
  switch_to(forgotten, main_);
  __builtin_unreachable();
}

std::string BlockRunner::place() const {
  return grid_->place(block_, index_[current_]);
}

std::string BlockRunner::whereabouts(unsigned thread) const {
  const uint3 at = index_[thread];
  return "thread (" + std::to_string(at.x) + "," + std::to_string(at.y) + "," +
         std::to_string(at.z) + ") at " + site_text(waits_[thread].file, waits_[thread].line);
}

// Every thread that is left waits, and none of them can be released: a GPU would hang here.
void BlockRunner::nobody_can_go_on() {
  Fault fault;
  fault.error = cudaErrorLaunchTimeout;
  for (unsigned w = 0; w * kWarpSize < count_; ++w) {
    const Warp& warp = warps_[w];
    if (warp.group_count == 0) continue;
    const Group& group = warp.groups[0];
    const auto lane = static_cast<unsigned>(std::countr_zero(group.arrived));
    const unsigned missing = group.mask & warp_bits(live_, w) & ~group.arrived;
    const unsigned absent = w * kWarpSize + static_cast<unsigned>(std::countr_zero(missing));
    current_ = w * kWarpSize + lane;
    fault.kind = "shuffle_mask";
    fault.sentence = "the warp function at " + site_text(warp.op[lane]->file, warp.op[lane]->line) +
                     " waits for lane " + std::to_string(absent % kWarpSize) +
                     ", which its mask names and which never comes: " + whereabouts(absent) + ".";
    fault.advice = "The mask may name only lanes that reach this call.";
    abandon(std::move(fault));
  }
  fault.kind = "divergent_barrier";
  fault.sentence = "no thread of the block can go on: " + std::to_string(arrived_) + " of " +
                   std::to_string(left_) + " wait in __syncthreads(), " +
                   whereabouts(first_at_barrier_) + " among them.";
  fault.advice = "Every thread of the block must reach the barrier.";
  abandon(std::move(fault));
}

}  // namespace convkit::simt
