// SPDX-License-Identifier: MIT
// One launch while it runs, shared by the workers.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "cpu_device/engine/fault.h"
#include "simt/launch.h"

namespace convkit::simt {

// Where a block stands among the `blocks` of a grid: x runs fastest.
inline uint64_t block_number(uint3 block, uint3 blocks) {
  return block.x + uint64_t{blocks.x} * (block.y + uint64_t{blocks.y} * block.z);
}

// Parameters may be aligned more strictly than what operator new gives.
template <class T>
struct ArgumentAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{128};

  ArgumentAllocator() = default;
  template <class U>
  ArgumentAllocator(const ArgumentAllocator<U>&) {}
  T* allocate(size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), kAlignment));
  }
  void deallocate(T* memory, size_t) { ::operator delete(memory, kAlignment); }
  bool operator==(const ArgumentAllocator&) const = default;
};

class ResidentBlocks;
class Turns;
struct Grid;

// A grid that a kernel has launched.
struct Child {
  std::shared_ptr<Grid> grid;
  uint64_t block;  // that launched it, among those of its grid
  bool tail;       // in cudaStreamTailLaunch
};

struct Grid {
  void (*invoke)(const void*) = nullptr;
  const void* function = nullptr;  // the kernel's address, where it is known
  std::vector<unsigned char, ArgumentAllocator<unsigned char>> arguments;
  std::string name;  // of the kernel
  uint3 blocks_dim{}, threads_dim{};
  uint64_t blocks = 0;
  unsigned threads = 0;  // of one block
  size_t shared_bytes = 0;
  uint64_t seed = 0;         // 0: blocks and threads in order
  unsigned char poison = 0;  // of fresh shared memory
  const char* file = nullptr;
  int line = 0;
  std::shared_ptr<ResidentBlocks> resident;  // of a cooperative launch; else null
  // Of an ordinary one that is followed by hooks, once a block waits for others; else null.
  std::shared_ptr<Turns> turns;
  bool is_child = false;  // a kernel has launched it
  unsigned depth = 1;     // of nesting: 1 for what the host has launched
  // The launch by the host began then: the limit of time is for all grids that come of it.
  std::chrono::steady_clock::time_point begun{};
  std::shared_ptr<const void> birth;  // of a child, for check mode

  // The index of block `number` in starting order.
  uint3 block_index(uint64_t number) const;

  std::atomic<uint64_t> next_block{0};
  // Blocks that were taken together and given back (ask_for_worker()), as [begin, end).
  std::atomic<bool> some_given_back{false};
  std::atomic<uint64_t> blocks_done{0};
  std::atomic<bool> failed{false};

  // Keeps the first fault of the launch and stops it.
  void fail(Fault what, std::string where);

  // "saxpy, block (1,0,0), thread (31,0,0)"
  std::string place(uint3 block, uint3 thread) const;
  // The same where the thread is not known: "saxpy, block (1,0,0)".
  std::string place(uint3 block) const;
  static std::string block_text(uint3 block);  // "block (1,0,0)"
  std::string launch_text() const;             // "saxpy, launched at saxpy.cu:12"

  std::mutex mutex;  // of the four below
  std::vector<std::pair<uint64_t, uint64_t>> given_back;
  Fault fault;
  std::string fault_place;
  std::vector<Child> children;
};

// Threads of a block.
struct BlockThreads {
  unsigned all, returned;
};

}  // namespace convkit::simt
