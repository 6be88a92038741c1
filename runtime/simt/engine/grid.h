// SPDX-License-Identifier: MIT
// One launch while it runs, shared by the workers.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "simt/engine/fault.h"
#include "simt/launch.h"

namespace convkit::simt {

struct Grid {
  void (*invoke)(const void*) = nullptr;
  const void* function = nullptr;        // the kernel's address, where it is known
  std::vector<unsigned char> arguments;  // aligned to 16 by its allocator
  std::string name;                      // of the kernel
  uint3 blocks_dim{}, threads_dim{};
  uint64_t blocks = 0;
  unsigned threads = 0;  // of one block
  size_t shared_bytes = 0;
  uint64_t seed = 0;  // 0: blocks and threads in order
  const char* file = nullptr;
  int line = 0;

  std::atomic<uint64_t> next_block{0};
  std::atomic<uint64_t> blocks_done{0};
  std::atomic<bool> failed{false};

  // Keeps the first fault of the launch and stops it.
  void fail(Fault what, std::string where);

  // "saxpy, block (1,0,0), thread (31,0,0)"
  std::string place(uint3 block, uint3 thread) const;

  std::mutex mutex;  // of the two below
  Fault fault;
  std::string fault_place;
};

}  // namespace convkit::simt
