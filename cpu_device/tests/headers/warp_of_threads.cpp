// SPDX-License-Identifier: MIT
#include "warp_of_threads.h"

#include <array>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "simt/async_copies.h"
#include "simt/device_side.h"
#include "simt/vector_types.h"

// The built-in variables, which the engine defines.
extern "C" {
__thread uint3 convkit_simt_thread_idx;
__thread uint3 convkit_simt_block_idx;
__thread dim3 convkit_simt_block_dim = dim3(1, 1, 1);
__thread dim3 convkit_simt_grid_dim = dim3(1, 1, 1);
}

namespace convkit::test {
namespace {

constexpr int kMaxThreads = 64;

// Who is here, who waits for what. One mutex for all of it.
struct Block {
  std::mutex mutex;
  std::condition_variable changed;
  int alive = 0;
  std::array<bool, kMaxThreads> running{};
  std::array<ConvkitWarpOp*, kMaxThreads> waiting{};
  std::array<unsigned, kMaxThreads> mask{};
  int at_barrier = 0, generation = 0;
  unsigned count = 0, reduced = 0;
  LastSite site{};

  // Serves the group of `thread` if all its lanes that still run have come.
  void try_deliver(int thread) {
    const int first = thread / 32 * 32;
    const unsigned mine = mask[static_cast<size_t>(thread)];
    ConvkitWarpOp* lanes[32] = {};
    unsigned group = 0;
    for (int lane = 0; lane < 32; ++lane) {
      const auto other = static_cast<size_t>(first + lane);
      if ((mine >> lane & 1) == 0 || !running[other]) continue;
      if (waiting[other] == nullptr || mask[other] != mine) return;
      lanes[lane] = waiting[other];
      group |= 1u << lane;
    }
    const ConvkitWarpOp& op = *waiting[static_cast<size_t>(thread)];
    for (const ConvkitWarpOp* lane : lanes) {
      if (lane != nullptr && (lane->kind != op.kind || lane->size != op.size)) std::abort();
    }
    op.deliver(lanes, group);
    for (int lane = 0; lane < 32; ++lane) {
      if (lanes[lane] != nullptr) waiting[static_cast<size_t>(first + lane)] = nullptr;
    }
    changed.notify_all();
  }

  void try_barrier() {
    if (alive == 0 || at_barrier < alive) return;
    at_barrier = 0;
    reduced = count;
    count = 0;
    ++generation;
    changed.notify_all();
  }

  void leave(int thread) {
    const std::lock_guard lock(mutex);
    running[static_cast<size_t>(thread)] = false;
    --alive;
    for (int other = 0; other < kMaxThreads; ++other) {
      if (waiting[static_cast<size_t>(other)] != nullptr) try_deliver(other);
    }
    try_barrier();
  }
};

Block* block = nullptr;
thread_local int this_thread = 0;

struct AsyncCopy {
  void* to;
  const void* from;
  size_t bytes;
};
// Of the thread: what it has asked for and not waited for, and the open batch.
thread_local std::vector<std::vector<AsyncCopy>> batches(1);

}  // namespace

void run_block(int threads, const std::function<void(int)>& body) {
  Block here;
  here.alive = threads;
  for (int i = 0; i < threads; ++i) here.running[static_cast<size_t>(i)] = true;
  block = &here;
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i) {
    running.emplace_back([i, threads, &body, &here] {
      this_thread = i;
      convkit_simt_thread_idx = uint3{static_cast<unsigned>(i), 0, 0};
      convkit_simt_block_dim = dim3(static_cast<unsigned>(threads));
      body(i);
      here.leave(i);
    });
  }
  for (std::thread& thread : running) thread.join();
}

LastSite last_site() {
  return block->site;
}

}  // namespace convkit::test

using convkit::test::batches;
using convkit::test::block;
using convkit::test::this_thread;

extern "C" {

void convkit_simt_warp_collective(unsigned mask, ConvkitWarpOp* op) {
  std::unique_lock lock(block->mutex);
  const auto thread = static_cast<size_t>(this_thread);
  block->site = {op->file, op->line};
  block->waiting[thread] = op;
  block->mask[thread] = mask;
  block->try_deliver(this_thread);
  block->changed.wait(lock, [thread] { return block->waiting[thread] == nullptr; });
}

unsigned convkit_simt_syncthreads_reduce(unsigned value, int op, const char* file, int line) {
  std::unique_lock lock(block->mutex);
  block->site = {file, line};
  block->count += value;
  ++block->at_barrier;
  const int generation = block->generation, threads = block->alive;
  block->try_barrier();
  block->changed.wait(lock, [generation] { return block->generation != generation; });
  const unsigned count = block->reduced;
  if (op == 1) return count == static_cast<unsigned>(threads);
  return op == 2 ? count != 0 : count;
}

void convkit_simt_syncthreads(const char* file, int line) {
  convkit_simt_syncthreads_reduce(0, 0, file, line);
}

unsigned convkit_simt_active_mask(void) {
  const std::lock_guard lock(block->mutex);
  unsigned mask = 0;
  for (int lane = 0; lane < 32; ++lane) {
    mask |= static_cast<unsigned>(block->running[static_cast<size_t>(this_thread / 32 * 32 + lane)])
            << lane;
  }
  return mask;
}

unsigned convkit_simt_lane(void) {
  return static_cast<unsigned>(this_thread % 32);
}

void convkit_simt_fence(int) {}
void convkit_simt_yield(void) {
  std::this_thread::yield();
}
void convkit_simt_spin(void) {}
void convkit_simt_trap(const char*, const char* file, int line) {
  const std::lock_guard lock(block->mutex);
  block->site = {file, line};
}
void convkit_simt_atomic(const void*, unsigned, unsigned) {}
void convkit_simt_async_copy(void* to, const void* from, unsigned bytes, unsigned zeros, unsigned) {
  if (zeros != 0) std::abort();
  batches.back().push_back({to, from, bytes});
}
void convkit_simt_async_commit() {
  batches.emplace_back();
}
void convkit_simt_async_wait(unsigned long long but_last) {
  while (batches.size() - 1 > but_last) {
    for (const auto& copy : batches.front()) std::memcpy(copy.to, copy.from, copy.bytes);
    batches.erase(batches.begin());
  }
}
void convkit_simt_register_object(const void*, void*, void*) {}
}
