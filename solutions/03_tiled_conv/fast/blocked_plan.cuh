// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// How conv2d_blocked divides the output among blocks and threads, decided on the host for each
// shape: the outputs of a thread are fixed at compile time, how threads form a block is not.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../tile.cuh"

namespace blocked {

constexpr int kMostThreads = 256;                 // of a block
constexpr int kMostSharedFloats = 48 * 1024 / 4;  // of a block, without opting in to more
constexpr int kMostColumns = 128;                 // of a block
constexpr int kWarp = 32;
// Of an H100 or H200. On another GPU another plan may be best.
constexpr int64_t kMultiprocessors = 132, kSchedulers = 4;  // each of these issues for some warps

// Outputs of one thread: `rows` neighbouring rows of one column, in `maps` neighbouring maps.
struct RegisterTile {
  int maps, rows;
};

// Division by a number that only the host knows, as a multiplication: right for numerator *
// divisor < 2^31, and a fifth of the instructions of a division.
struct Divisor {
  int divisor = 1;
  unsigned inverse = 0;  // 2^31 / divisor, rounded up

  Divisor() = default;
  explicit Divisor(int d) : divisor(d), inverse(0x7fffffffu / static_cast<unsigned>(d) + 1) {}
  __device__ int quotient(int numerator) const {
    return static_cast<int>(__umulhi(2u * static_cast<unsigned>(numerator), inverse));
  }
};

// The kernel whose loops are unrolled: 1, 3, 5 or 7 where the shape has that kernel, square and
// with stride and dilation 1; 0 for all others.
inline int unrolled_kernel(const Conv2dShape& s) {
  const bool plain =
      s.kh == s.kw && s.stride_h == 1 && s.stride_w == 1 && s.dilation_h == 1 && s.dilation_w == 1;
  return plain && s.kh % 2 == 1 ? s.kh : 0;
}

struct Plan {
  // Threads of a block along the columns, the strips of `rows` rows, and the groups of `maps` maps
  // of the output. All in one dimension, rounded up to whole warps: what is left over helps to
  // load.
  int columns = 1, strips = 1, groups = 1;
  int threads = kWarp;
  int tile_h = 1, tile_w = 1;  // input of one channel that a block reads
  int filter_pitch = 4;        // from the weights of a tap to those of the next one
  int channels = 1;            // in shared memory at a time
  int filter_floats = 0, shared_floats = 0;
  dim3 grid;
  int64_t cost = INT64_MAX;
  Divisor by_columns, by_strips, by_tile_w, by_tile_h, by_taps;
};

// Instructions that a warp issues for one channel: loads from shared memory and multiply-adds.
inline int64_t warp_cost(const Conv2dShape& s, RegisterTile r) {
  const int multiply_adds = r.maps * r.rows, weights = r.maps / 4;  // four with one load
  if (unrolled_kernel(s) == 0) return s.kh * s.kw * (r.rows + weights + multiply_adds);
  return s.kw * (r.rows + s.kh - 1 + s.kh * (weights + multiply_adds));
}

// The plan for blocks of columns x strips x groups threads; its cost is the number of instructions
// of the busiest scheduler. Fails where not even one channel fits into shared memory.
inline bool plan_block(const Conv2dShape& s, RegisterTile r, Plan& plan) {
  constexpr int64_t kLoadCost = 16;    // instructions to bring an element per lane to shared memory
  constexpr int64_t kFewestWarps = 2;  // a scheduler with fewer waits as long as with so many
  const int taps = s.kh * s.kw, maps = plan.groups * r.maps;
  plan.threads = ceil_div(plan.columns * plan.strips * plan.groups, kWarp) * kWarp;
  plan.tile_h = input_extent(plan.strips * r.rows, s.stride_h, s.kh, s.dilation_h);
  plan.tile_w = input_extent(plan.columns, s.stride_w, s.kw, s.dilation_w);
  // Weights are read four at a time, so it is a multiple of 4; an odd one, so that a warp that
  // stores 32 taps of a map meets each bank as rarely as possible.
  plan.filter_pitch = maps | 4;
  const int channel_floats = taps * plan.filter_pitch + plan.tile_h * plan.tile_w;
  if (channel_floats > kMostSharedFloats) return false;
  const int rounds = ceil_div(s.c, kMostSharedFloats / channel_floats);
  plan.channels = ceil_div(s.c, rounds);
  plan.filter_floats = plan.channels * taps * plan.filter_pitch;
  plan.shared_floats = plan.channels * channel_floats;

  const int tiles = ceil_div(s.oh(), plan.strips * r.rows) * ceil_div(s.ow(), plan.columns);
  plan.grid = dim3(tiles, ceil_div(s.m, maps), s.n);
  const int64_t blocks = int64_t(tiles) * plan.grid.y * plan.grid.z;
  const int64_t rounds_of_blocks = (blocks + kMultiprocessors - 1) / kMultiprocessors;
  const int64_t warps = rounds_of_blocks * (plan.threads / kWarp);  // on one multiprocessor
  const int64_t turns = std::max((warps + kSchedulers - 1) / kSchedulers, kFewestWarps);
  const int64_t loads = rounds_of_blocks * (plan.tile_h * plan.tile_w + taps * maps) / kWarp + 1;
  plan.cost = s.c * (turns * warp_cost(s, r) + loads * kLoadCost / kSchedulers);
  return true;
}

// The cheapest plan for this register tile. Few shapes have more than some dozens of candidates.
inline Plan make_plan(const Conv2dShape& s, RegisterTile r) {
  Plan best;
  const int most_strips = ceil_div(s.oh(), r.rows), most_groups = ceil_div(s.m, r.maps);
  // Whole rows if they fit, else equal parts of them.
  int parts = ceil_div(s.ow(), kMostColumns);
  for (bool found = false; !found; parts *= 2) {
    Plan plan;
    plan.columns = ceil_div(s.ow(), parts);
    const int fitting = kMostThreads / plan.columns;
    for (plan.strips = 1; plan.strips <= std::min(most_strips, fitting); ++plan.strips) {
      for (plan.groups = 1; plan.groups <= std::min(most_groups, fitting / plan.strips);
           plan.groups *= 2) {
        if (!plan_block(s, r, plan)) break;
        found = true;
        if (plan.cost < best.cost) best = plan;
      }
    }
  }
  best.by_columns = Divisor(best.columns);
  best.by_strips = Divisor(best.strips);
  best.by_tile_w = Divisor(best.tile_w);
  best.by_tile_h = Divisor(best.tile_h);
  best.by_taps = Divisor(best.channels * s.kh * s.kw);
  return best;
}

}  // namespace blocked
