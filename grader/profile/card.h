// SPDX-License-Identifier: MIT
// What the multiprocessors of a GPU hold at a time, and how fast it is; how many of a
// kernel's threads that is, and what sets the limit.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace convkit {

// By compute capability: CUDA C++ Programming Guide 13.0, "Technical Specifications per Compute
// Capability". The number of multiprocessors and the speeds: NVIDIA's data sheets, of the GeForce
// cards its white papers on GA102 and Ada (of an A100 that with 80 GB on SXM). How much faster
// floats are: the same guide, "Arithmetic Instructions".
struct Card {
  const char* option;        // "h200"
  const char* name;          // "an H200"
  const char* architecture;  // "sm_90", as nvcc calls it
  unsigned multiprocessors;
  // Of one multiprocessor.
  unsigned warps, blocks;
  uint64_t shared_bytes;
  uint64_t reserved_bytes;     // of shared memory, for each block
  double float_gflops;         // GFLOP/s of fused multiply-adds, without tensor cores
  unsigned floats_per_double;  // as many times slower are those of doubles
  double memory_gb_s;          // 1e9 bytes a second
};

inline constexpr unsigned kLanesOfWarp = 32;
inline constexpr unsigned kRegistersOfMultiprocessor = 64 * 1024;

std::span<const Card> cards();
std::string known_cards();  // "h200, h100, ..."
// Throws UsageError with the known ones.
const Card& card_named(const std::string& option);

// What one block of a kernel takes.
struct BlockNeeds {
  unsigned threads = 0;
  unsigned registers = 0;     // of a thread; 0: not known
  uint64_t shared_bytes = 0;  // static and dynamic
};

struct Occupancy {
  unsigned blocks = 0, warps = 0;  // of one multiprocessor
  // The first of "warps", "blocks", "registers", "shared memory" that allows no more.
  const char* limited_by = "";
};

// By the rules of cudaOccupancyMaxActiveBlocksPerMultiprocessor: a warp's registers are handed out
// by 256 in each of four parts of the multiprocessor, shared memory by 128 bytes (256 on sm_75). It
// is assumed that the driver gives as much of the L1 cache to shared memory as there can be.
Occupancy occupancy(const Card& card, const BlockNeeds& needs);

// The same of a kernel that was profiled.
struct KernelOccupancy {
  const Card* card = nullptr;
  BlockNeeds needs;
  uint64_t local_bytes = 0, spilled_bytes = 0;  // of a thread; see KernelResources
  Occupancy of_one;                             // multiprocessor
};

}  // namespace convkit
