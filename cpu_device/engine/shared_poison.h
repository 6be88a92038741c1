// SPDX-License-Identifier: MIT
// A block finds its `__shared__` variables poisoned: an element that nobody wrote reads as NaN, or
// as -1. A program's variables together are far more than one kernel has, so what each kernel
// writes is learned from its first blocks; from then on only that is poisoned again.
//
// Exact from kernel to kernel: all is looked over when a launch ends. Within a launch, a variable
// that only later blocks write stays as they left it until the next look, after block 8, 16, 32 ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "cpu_device/engine/shared_memory.h"

namespace convkit::simt {

// For one OS thread's shared memory.
class SharedPoison {
 public:
  // The identity of a kernel. Kernels that share a key are treated as one.
  using Key = std::pair<const void*, const void*>;

  // Poisons all of it, and forgets what was learned.
  void reset(std::vector<SharedRange> ranges);

  // Around the blocks of a launch.
  void begin(Key kernel);
  void after_block();
  void end();

 private:
  struct Kernel {
    std::vector<bool> writes;         // for each piece
    std::vector<SharedRange> ranges;  // the pieces it writes, neighbours joined
    uint64_t blocks = 0;
  };

  void look_everywhere();

  std::vector<SharedRange> pieces_;
  std::map<Key, Kernel> kernels_;
  Kernel* kernel_ = nullptr;
  bool looked_ = true;
};

}  // namespace convkit::simt
