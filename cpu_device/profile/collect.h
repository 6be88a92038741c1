// SPDX-License-Identifier: MIT
// Puts the accesses of single threads together to requests of warps.
//
// Theory of operation. The engine runs the threads of a block one after the other, each up to its
// next wait. So the lanes of a warp come here one by one: an execution of an instruction by one
// lane belongs to those of it by the others in the same turn of the same loops, the n-th to the
// n-th if there are several. n counts from the kernel's start, the last barrier or the last warp
// function in which all lanes took part; there what has been put together is counted, and
// forgotten. Where lanes have different trip counts, the last requests of the loop have fewer
// lanes, as on a GPU whose lanes wait for each other at the loop's end.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "cpu_device/profile/requests.h"

namespace convkit::simt::profile {

enum class Kind : unsigned {
  global_load,
  global_store,
  constant_load,  // of a __constant__ variable
  variable_load,  // of a __device__ variable, or of one that may be either
  shared_load,
  shared_store,
  global_atomic,
  shared_atomic,
};
inline constexpr unsigned kKinds = 8;

constexpr bool is_store(Kind kind) {
  return kind == Kind::global_store || kind == Kind::shared_store;
}
constexpr bool is_atomic(Kind kind) {
  return kind == Kind::global_atomic || kind == Kind::shared_atomic;
}
constexpr bool is_shared(Kind kind) {
  return kind == Kind::shared_load || kind == Kind::shared_store || kind == Kind::shared_atomic;
}

// Sums over the requests of one instruction.
struct Sums {
  uint64_t requests = 0;
  uint64_t lanes = 0;           // that took part
  uint64_t possible_lanes = 0;  // that the warps have
  uint64_t sectors = 0, ideal_sectors = 0, used_bytes = 0;
  uint64_t wavefronts = 0, conflicts = 0;
  uint64_t addresses = 0, passes = 0;
  uint64_t words = 0;    // of constant memory
  uint64_t hottest = 0;  // operations on the address that had the most

  Sums& operator+=(const Sums& other);
};

// Different sectors of global memory, of one launch after the other; an atomic operation loads and
// stores.
struct DifferentSectors {
  uint64_t loaded = 0, stored = 0;
};

struct Instruction {
  uintptr_t pc;
  Kind kind;
  auto operator<=>(const Instruction&) const = default;
};

class Collector {
 public:
  // The most requests of one block that are held before they are counted.
  static constexpr size_t kUsualMost = size_t{1} << 16;
  // The most of one warp: what comes after them is left out.
  static constexpr size_t kMostOfWarp = size_t{1} << 19;

  explicit Collector(size_t usual_most = kUsualMost, size_t most_of_warp = kMostOfWarp)
      : usual_most_(usual_most), most_of_warp_(most_of_warp) {}

  void begin_block(unsigned threads);
  // `path` is the same for the same turns of the same loops (loop_path.h). `size` is 1, 2, 4, 8 or
  // 16. This is what costs time: it is called for each access of each thread.
  void access(unsigned thread, Instruction instruction, uint64_t path, uintptr_t at,
              unsigned size) {
    const Known& known = known_of(instruction);
    const unsigned lane = thread % kLanes;
    if (known.instruction == instruction && known.warp == thread / kLanes) {
      Pending& pending = *known.pending;
      // Most often, lanes go the same way.
      const unsigned n = pending.next[lane];
      if (n < pending.executions.size() && pending.is_next_of(lane, path, n)) {
        ++pending.next[lane];
        pending.executions[n].request.add(lane, at, size);
        return;
      }
    }
    first_access(thread, instruction, path, at, size);
  }
  // All threads of the warp, or of the block, have come to one point.
  void warp_meets(unsigned warp);
  void block_meets();

  // What has been counted since the last call, and how many accesses have been left out.
  std::map<Instruction, Sums> take(uint64_t& left_out);
  // Since the last call, which was at the launch before. After take().
  DifferentSectors take_sectors() { return {loaded_.take(), stored_.take()}; }

 private:
  static constexpr unsigned kNone = ~0u;
  struct Execution {
    uint64_t path;
    unsigned before, after = kNone;  // others on this path, if there are any
    Request request{};
  };
  struct Pending {  // of one instruction and one warp
    std::vector<Execution> executions;
    std::array<unsigned, kLanes> next{};           // behind the lane's last one
    std::unordered_map<uint64_t, unsigned> first;  // of each path

    bool has(unsigned n, unsigned lane) const { return executions[n].request.mask >> lane & 1; }
    bool is_next_of(unsigned lane, uint64_t path, unsigned n) const {
      const Execution& one = executions[n];
      return one.path == path && !has(n, lane) && (one.before == kNone || has(one.before, lane));
    }
    // Which one the lane's next on the path belongs to; kNone: a new one behind `before`.
    unsigned find(unsigned lane, uint64_t path, unsigned& before) const;
  };
  struct Warp {
    std::vector<Pending> instructions;  // by number
    size_t requests = 0;
    unsigned lanes = 0;  // that the warp has
  };
  struct Counted {
    Instruction instruction;
    Sums sums;
    std::unordered_map<uintptr_t, uint64_t> addresses;  // of atomic operations
  };

  struct Known {
    Instruction instruction{0, Kind::global_load};
    unsigned warp = ~0u;  // of no thread: `pending` is nothing
    Pending* pending = nullptr;
  };
  Known& known_of(Instruction instruction) {
    const auto bits =
        instruction.pc ^ instruction.pc >> 8 ^ static_cast<unsigned>(instruction.kind);
    return lately_[bits % lately_.size()];
  }
  unsigned number_of(Instruction instruction);
  // Of the warp's first lane that comes to this execution, or after another warp.
  void first_access(unsigned thread, Instruction instruction, uint64_t path, uintptr_t at,
                    unsigned size);
  void count(const Request& request, unsigned possible_lanes, Counted& counted);

  const size_t usual_most_, most_of_warp_;
  std::vector<Warp> warps_;
  std::vector<Counted> counted_;
  std::map<Instruction, unsigned> numbers_;
  std::array<Known, 256> lately_{};  // by the lower bits of the address
  SectorSet loaded_, stored_;
  size_t requests_ = 0;
  unsigned last_warp_ = 0;
  uint64_t left_out_ = 0;
};

}  // namespace convkit::simt::profile
