// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// How the walk down the columns is divided among blocks, decided on the host from the shape alone:
// otherwise another GPU would give other bits.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../taps.cuh"

namespace walk {

constexpr int kThreadsOfWalk = 128;
constexpr int64_t kMultiprocessors = 132;  // of an H100 or H200; elsewhere another plan may be best

struct Tile {
  int maps, channels;  // of a block
};

inline Tile tile_of(const Conv2dShape& s) {
  if (s.kh == 7) return {2, 1};
  if (s.kh == 5) return {4, 1};
  return s.c == 1 ? Tile{8, 1} : Tile{4, 2};
}

inline bool supports(const Conv2dShape& s) {
  const bool plain =
      s.kh == s.kw && s.stride_h == 1 && s.stride_w == 1 && s.dilation_h == 1 && s.dilation_w == 1;
  const int64_t outputs = int64_t(s.n) * s.oh() * s.ow();  // of a map
  constexpr int64_t kMostOutputs = 1 << 30;                // columns are counted in an int
  // Many filters and channels with short sums are faster as a matrix product: adding up over the
  // block would cost more than the walk.
  constexpr int64_t kManyFilters = 64 * 64, kShortSum = 8192;
  const bool flat = int64_t(s.m) * s.c >= kManyFilters && outputs < kShortSum;
  return plain && (s.kh == 3 || s.kh == 5 || s.kh == 7) && outputs < kMostOutputs && !flat;
}

// Blocks at a time on a multiprocessor: 168 registers for a thread, or 255.
constexpr int blocks_at_a_time(int kernel) {
  return kernel == 5 ? 2 : 3;
}

struct Plan {
  int map_tiles = 1, channel_tiles = 1;  // gridDim.x is their product
  int strips = 1, rows = 1;              // a column is cut into strips of so many rows
  int parts = 1;                         // gridDim.y: blocks that share the columns of a tile
};

// The time of the busiest multiprocessor, in multiply-adds of a thread.
inline int64_t cost_of(const Conv2dShape& s, const Tile& tile, const Plan& plan) {
  constexpr int64_t kPerSum = 30;  // to add up a sum over the block at the end
  constexpr int64_t kPerRow = 30;  // instructions of a row beside the products
  constexpr int64_t kPerPart = 8;  // of the second level
  const int64_t sums = int64_t(tile.maps) * tile.channels * s.kh * s.kw;
  const int64_t steps = (plan.rows + 2 * s.kh - 2) / s.kh * s.kh;
  const int64_t columns = int64_t(s.n) * plan.strips * s.ow();
  const int64_t threads = int64_t(plan.parts) * kThreadsOfWalk;
  const int64_t turns = (columns + threads - 1) / threads;
  const int64_t blocks = int64_t(plan.map_tiles) * plan.channel_tiles * plan.parts;
  const int64_t at_a_time = kMultiprocessors * blocks_at_a_time(s.kh);
  const int64_t rounds = (blocks + at_a_time - 1) / at_a_time;
  return rounds * (turns * steps * (sums + kPerRow) + sums * kPerSum) + plan.parts * kPerPart;
}

inline Plan make_plan(const Conv2dShape& s) {
  constexpr int kMostParts = 792, kFewestRows = 4;
  constexpr int64_t kMostFloats = 1 << 22;  // of the workspace: 16 MiB
  constexpr int64_t kMostRounds = 4;
  const Tile tile = tile_of(s);
  Plan best;
  best.map_tiles = (s.m + tile.maps - 1) / tile.maps;
  best.channel_tiles = (s.c + tile.channels - 1) / tile.channels;
  best.rows = s.oh();
  const int64_t tiles = int64_t(best.map_tiles) * best.channel_tiles;
  int64_t least = INT64_MAX;
  Plan plan = best;
  for (int strips = 1; strips == 1 || s.oh() / strips >= kFewestRows; strips *= 2) {
    plan.rows = (s.oh() + strips - 1) / strips;
    plan.strips = (s.oh() + plan.rows - 1) / plan.rows;
    const int64_t columns = int64_t(s.n) * plan.strips * s.ow();
    const int64_t most =
        std::min({int64_t(kMostParts), (columns + kThreadsOfWalk - 1) / kThreadsOfWalk,
                  kMostFloats / s.w_size()});
    // So many parts that the blocks fill the GPU a whole number of times, or as many as there can
    // be.
    for (int64_t rounds = 0; rounds <= kMostRounds; ++rounds) {
      const int64_t wanted =
          rounds == 0 ? most : rounds * kMultiprocessors * blocks_at_a_time(s.kh) / tiles;
      plan.parts = static_cast<int>(std::max<int64_t>(1, std::min(wanted, most)));
      const int64_t cost = cost_of(s, tile, plan);
      if (cost < least) least = cost, best = plan;
    }
  }
  return best;
}

inline int parts_of(const Conv2dShape& s) {
  return make_plan(s).parts;
}

}  // namespace walk
