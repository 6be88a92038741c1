// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// How the threads of a block bring input and filters of some channels into shared memory.
#pragma once

#include "blocked_plan.cuh"

namespace blocked {

// store(at, load(at)) for every `at` below `elements`, each by one thread of the block. Several
// loads are under way before the first is waited for: a load from global memory takes about as
// long as 500 multiply-adds.
template <class Load, class Store>
__device__ void share_out(int elements, Load load, Store store) {
  constexpr int kUnderWay = 6;
  const int threads = blockDim.x;
  for (int first = threadIdx.x; first < elements; first += kUnderWay * threads) {
    float value[kUnderWay];
#pragma unroll
    for (int u = 0; u < kUnderWay; ++u) {
      const int at = first + u * threads;
      value[u] = at < elements ? load(at) : 0.0f;
    }
#pragma unroll
    for (int u = 0; u < kUnderWay; ++u) {
      const int at = first + u * threads;
      if (at < elements) store(at, value[u]);
    }
  }
}

// tile [channels][tile_h][tile_w] from `image` [c][h][w]. Beyond the last channel it is zero.
__device__ inline void load_tile(float* tile, const float* image, int first_channel, int first_row,
                                 int first_col, const Conv2dShape& s, const Plan& plan) {
  share_out(
      plan.channels * plan.tile_h * plan.tile_w,
      [&](int at) {
        const int line = plan.by_tile_w.quotient(at);
        const int from_first = plan.by_tile_h.quotient(line);
        const int channel = first_channel + from_first;
        const int row = first_row + line - from_first * plan.tile_h;
        const int col = first_col + at - line * plan.tile_w;
        if (channel >= s.c) return 0.0f;
        return padded(image + channel * s.h * s.w, s, row, col);
      },
      [&](int at, float value) { tile[at] = value; });
}

// filters [channels][kh][kw][maps], the maps of a tap side by side, from w [m][c][kh][kw]. Beyond
// the last map and the last channel they are zero.
__device__ inline void load_filters(float* filters, const float* w, int first_channel,
                                    int first_map, int maps, const Conv2dShape& s,
                                    const Plan& plan) {
  const int first_tap = first_channel * s.kh * s.kw, filter_size = s.c * s.kh * s.kw;
  const int taps = plan.channels * s.kh * s.kw;
  share_out(
      maps * taps,
      [&](int at) {
        const int map = plan.by_taps.quotient(at), tap = at - map * taps;
        const bool exists = first_map + map < s.m && first_tap + tap < filter_size;
        return exists ? w[int64_t(first_map + map) * filter_size + first_tap + tap] : 0.0f;
      },
      [&](int at, float value) {
        const int map = plan.by_taps.quotient(at), tap = at - map * taps;
        filters[tap * plan.filter_pitch + map] = value;
      });
}

}  // namespace blocked
