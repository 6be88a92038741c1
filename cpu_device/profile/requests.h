// SPDX-License-Identifier: MIT
// What one memory request of a warp costs, in the units that ncu counts in.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <unordered_map>

namespace convkit::simt::profile {

inline constexpr unsigned kLanes = 32;
inline constexpr unsigned kSectorBytes = 32;

// The addresses that the lanes of a warp access with one execution of one instruction.
struct Request {
  uint32_t mask = 0;   // of the lanes that take part
  uint32_t bytes = 0;  // of each lane's access: 1, 2, 4, 8 or 16
  std::array<uintptr_t, kLanes> address{};

  void add(unsigned lane, uintptr_t at, unsigned size) {
    mask |= 1u << lane;
    if (size > bytes) bytes = size;
    address[lane] = at;
  }
};

// Global memory moves in sectors of 32 bytes.
struct GlobalCost {
  unsigned sectors = 0;
  unsigned ideal_sectors = 0;  // as many as neighbouring lanes with neighbouring elements need
  unsigned used_bytes = 0;     // different bytes that some lane accesses, of sectors * 32
};
GlobalCost global_cost(const Request& request);

// Shared memory has 32 banks of 4 bytes. A wavefront serves one word of each bank, to any number of
// lanes. Accesses of 8 bytes go in two phases of 16 lanes, of 16 bytes in four of 8; two phases
// become one where each lane has the address of the lane beside it, or each that of the lane two
// further. (So an H100 counts: benchmarks/gpu/profile_against_ncu.py.)
struct SharedCost {
  unsigned wavefronts = 0;
  unsigned conflicts = 0;  // wavefronts beyond one for each phase
};
SharedCost shared_cost(const Request& request);

// Atomic operations on one address are made one after the other.
struct AtomicCost {
  unsigned addresses = 0;  // different ones
  unsigned passes = 0;     // the most lanes that have one address
};
AtomicCost atomic_cost(const Request& request);

// The constant cache gives one word of 4 bytes at a time, to all lanes that load it.
unsigned words_loaded(const Request& request);

// The different sectors of global memory that a launch touches.
class SectorSet {
 public:
  void add(const Request& request);
  // How many there are; then there are none.
  uint64_t take();

 private:
  static constexpr uintptr_t kTogether = 512;  // sectors
  void add(uintptr_t sector);

  std::unordered_map<uintptr_t, std::bitset<kTogether>> groups_;
  std::bitset<kTogether>* latest_ = nullptr;
  uintptr_t latest_number_ = 0;
};

}  // namespace convkit::simt::profile
