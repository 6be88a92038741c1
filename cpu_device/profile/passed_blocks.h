// SPDX-License-Identifier: MIT
// Counts the basic blocks that the threads of the running launch pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace convkit::simt::profile {

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

}  // namespace convkit::simt::profile
