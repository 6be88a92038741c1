// SPDX-License-Identifier: MIT
// The loops that a thread is in, each with its turn, told by the blocks of machine code that the
// thread passes. Lanes in the same turns of the same loops have the same path.
//
// In a function that has been called, the path around the call goes on. Where it was called from
// does not matter.
#pragma once

#include <cstdint>
#include <vector>

namespace convkit::simt::profile {

// Where a block is.
struct CodePlace {
  uint32_t loop = 0;         // the innermost; 0: none
  bool begins_turn = false;  // of this loop
};

// The loop around each loop. None, 0, is around the others, and around itself.
using OuterLoops = std::vector<uint32_t>;

class LoopPath {
 public:
  // The thread comes to `place`. `stack` is where its stack ends: lower in what a function calls.
  // This is what costs time: it is called for each block of each thread.
  void pass(CodePlace place, uintptr_t stack, const OuterLoops& outer) {
    while (!levels_.empty() && is_left(levels_.back(), place, stack, outer)) {
      path_ = levels_.back().outside;
      levels_.pop_back();
    }
    if (place.loop == 0) return;
    if (levels_.empty() || levels_.back().stack != stack || levels_.back().loop != place.loop) {
      levels_.push_back({stack, path_, place.loop});
      const uint64_t mixed = (path_ ^ path_ >> 31 ^ place.loop) * kMix;
      path_ = mixed ^ mixed >> 29;
    } else if (place.begins_turn) {
      path_ += kTurn;
    }
  }

  // The same number for the same turns of the same loops; 0 outside loops.
  uint64_t path() const { return path_; }

  void clear() {
    levels_.clear();
    path_ = 0;
  }

 private:
  struct Level {
    uintptr_t stack;
    uint64_t outside;  // the path around it
    uint32_t loop;
  };

  static bool is_left(const Level& level, CodePlace place, uintptr_t stack,
                      const OuterLoops& outer) {
    if (level.stack != stack) return level.stack < stack;
    uint32_t loop = place.loop;
    while (loop != 0 && loop != level.loop) loop = outer[loop];
    return loop == 0;
  }

  // Odd numbers without a pattern: the numbers of other paths are others.
  static constexpr uint64_t kMix = 0x9e3779b97f4a7c15, kTurn = 0xd1342543de82ef95;
  std::vector<Level> levels_;
  uint64_t path_ = 0;
};

}  // namespace convkit::simt::profile
