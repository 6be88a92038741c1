// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// How dx is divided among blocks and threads, decided on the host for each shape.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../taps.cuh"
#include "divisor.cuh"

namespace patch {

constexpr int kMostThreads = 256;           // of a block
constexpr int kFewestThreads = 128;         // with small patches: those without one still load
constexpr int kBlocksAtATime = 2;           // on a multiprocessor: 128 registers for a thread
constexpr int kMostFloats = 48 * 1024 / 4;  // shared memory of a block, without opting in to more
constexpr int kWarp = 32;
constexpr int kColumns = 4;                                 // of a patch
constexpr int64_t kMultiprocessors = 132, kSchedulers = 4;  // of an H100 or H200

inline bool supports(const Conv2dShape& s) {
  const bool plain =
      s.kh == s.kw && s.stride_h == 1 && s.stride_w == 1 && s.dilation_h == 1 && s.dilation_w == 1;
  return plain && (s.kh == 3 || s.kh == 5 || s.kh == 7);
}

// Channels and rows of a patch: as many as fit into registers beside the weights (layers with 3x3
// kernels often have 14, 28, 56 or 112 rows), or few, where large patches would leave most of the
// device without work.
struct Patch {
  int channels, rows;
};

constexpr CONVKIT_HOST_DEVICE Patch patch_of(int kernel, bool large) {
  if (!large) return {1, 2};
  return kernel == 3 ? Patch{2, 7} : Patch{1, 8};
}

constexpr CONVKIT_HOST_DEVICE int round_up_to_4(int size) {
  return (size + 3) / 4 * 4;
}

// Columns of dy that a patch reads: read as float4.
constexpr CONVKIT_HOST_DEVICE int window_width(int kernel) {
  return round_up_to_4(kColumns + kernel - 1);
}

struct Plan {
  // Threads of a block: patches side by side, below one another, and groups of channels. All in one
  // dimension, rounded up to whole warps.
  int across = 1, strips = 1, groups = 1, threads = kWarp;
  bool large = true;           // the patches
  int tile_h = 1, tile_w = 1;  // of dy, for one map
  int maps = 1;                // in shared memory at a time
  int shared_floats = 0;
  int tiles_across = 1;
  dim3 grid;
  Divisor by_across, by_strips, by_tile_h;
};

// The plan for blocks of across x strips x groups patches, and what it costs: instructions of the
// busiest scheduler for one map. Nothing where not even one map fits into shared memory.
inline int64_t plan_block(const Conv2dShape& s, Plan& plan) {
  constexpr int64_t kPerElement = 6;  // instructions to bring one element per lane to shared memory
  const Patch patch = patch_of(s.kh, plan.large);
  const int kernel = s.kh, rows = patch.rows, channels = plan.groups * patch.channels;
  const int taps = round_up_to_4(kernel * kernel);
  plan.threads = (plan.across * plan.strips * plan.groups + kWarp - 1) / kWarp * kWarp;
  if (!plan.large) plan.threads = std::max(plan.threads, kFewestThreads);
  plan.tile_h = plan.strips * rows + kernel - 1;
  plan.tile_w = (plan.across - 1) * kColumns + window_width(kernel);
  const int map_floats = plan.tile_h * plan.tile_w + channels * taps;
  if (map_floats > kMostFloats) return INT64_MAX;
  const int rounds = (s.m * map_floats + kMostFloats - 1) / kMostFloats;
  plan.maps = std::min(kMostFloats / map_floats, (s.m + rounds - 1) / rounds);
  plan.shared_floats = plan.maps * map_floats;
  plan.tiles_across = (s.w + plan.across * kColumns - 1) / (plan.across * kColumns);
  const int tiles_down = (s.h + plan.strips * rows - 1) / (plan.strips * rows);
  plan.grid = dim3(plan.tiles_across * tiles_down, (s.c + channels - 1) / channels, s.n);
  plan.by_across = Divisor(plan.across), plan.by_strips = Divisor(plan.strips);
  plan.by_tile_h = Divisor(plan.tile_h);

  const int64_t blocks = int64_t(plan.grid.x) * plan.grid.y * plan.grid.z;
  const int64_t rounds_of_blocks = (blocks + kMultiprocessors - 1) / kMultiprocessors;
  const int64_t warps = plan.threads / kWarp;
  const int64_t products = int64_t(patch.channels) * rows * kColumns * kernel * kernel;
  const int64_t loads = int64_t(map_floats + plan.threads - 1) / plan.threads * kPerElement;
  const int64_t turns =
      std::max((rounds_of_blocks * warps + kSchedulers - 1) / kSchedulers, int64_t{2});
  return turns * (products + loads);
}

inline Plan make_plan(const Conv2dShape& s) {
  const int patches = (s.w + kColumns - 1) / kColumns, parts = (patches + kWarp - 1) / kWarp;
  Plan plan, best;
  const auto most = [&](int size, int part) { return (size + part - 1) / part; };
  Patch patch = patch_of(s.kh, true);
  const int64_t threads =
      int64_t(s.n) * patches * most(s.h, patch.rows) * most(s.c, patch.channels);
  plan.large = threads >= kMultiprocessors * kSchedulers * kWarp;  // a warp for each scheduler
  if (!plan.large) patch = patch_of(s.kh, false);
  const int most_strips = most(s.h, patch.rows), most_groups = most(s.c, patch.channels);
  plan.across = (patches + parts - 1) / parts;
  int64_t least = INT64_MAX;
  const int fitting = kMostThreads / plan.across;
  for (plan.strips = 1; plan.strips <= std::min(most_strips, fitting); ++plan.strips) {
    for (plan.groups = 1; plan.groups <= std::min(most_groups, fitting / plan.strips);
         plan.groups *= 2) {
      const int64_t cost = plan_block(s, plan);
      if (cost < least) least = cost, best = plan;
    }
  }
  return best;
}

}  // namespace patch
