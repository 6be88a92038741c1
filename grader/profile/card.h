// SPDX-License-Identifier: MIT
// What the multiprocessors of a GPU hold at a time, and how fast it is.
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

}  // namespace convkit
