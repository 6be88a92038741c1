// SPDX-License-Identifier: MIT
// How fast a card can be at the arithmetic of a kernel, and what sets the limit: S. Williams, A.
// Waterman, D. Patterson, "Roofline: an insightful visual performance model for multicore
// architectures", CACM 52(4), 2009.
#pragma once

#include <cstdint>

#include "profile/card.h"

namespace convkit {

// Operations that threads execute, of a line or of a kernel.
struct OperationCounts {
  uint64_t float_fma = 0, float_mul = 0, float_add = 0;
  uint64_t double_fma = 0, double_mul = 0, double_add = 0;
  uint64_t special = 0;  // divisions, square roots and functions such as exp(), of either type

  OperationCounts& operator+=(const OperationCounts& other);
  bool operator==(const OperationCounts&) const = default;
};

// A fused multiply-add is two, all others are one.
uint64_t flop(const OperationCounts& counts);

struct Traffic {
  uint64_t l1_bytes = 0;     // that loads and stores of global memory move, by sectors
  uint64_t least_bytes = 0;  // of the different sectors that are loaded, and of those stored
};

struct Roofline {
  const Card* card = nullptr;
  uint64_t flop = 0;
  Traffic traffic;
  // GFLOP/s: of fused multiply-adds of the type that most of the operations have; of the kernel's
  // mix of operations; and of that where memory moves no more than `least_bytes`.
  double peak = 0, ceiling = 0, attainable = 0;
  bool memory_bound = false;

  // FLOP for each byte; infinite where none moves.
  double intensity() const;
  double l1_intensity() const;
  // The intensity from which on memory is fast enough for the mix.
  double ridge() const { return ceiling / card->memory_gb_s; }
};

// `counts` has some operation. What is attainable is an upper bound: it leaves out latency,
// occupancy, and all instructions without floating-point arithmetic.
Roofline roofline(const Card& card, const OperationCounts& counts, const Traffic& traffic);

}  // namespace convkit
