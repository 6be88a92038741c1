// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// Which thread computes which output: the part that the three convolutions share.
#pragma once

#include "direct_conv.h"

// A block computes a tile of 8 x 32 neighbouring outputs of one feature map of one image: a warp is
// a row of it, so that its 32 threads read and write neighbouring elements.
constexpr int kTileRows = 8, kTileCols = 32;
constexpr int kTileThreads = kTileRows * kTileCols;

// Tiles of `size` that cover `count` outputs; the last one may stick out.
__host__ __device__ constexpr int tiles(int count, int size) {
  return (count + size - 1) / size;
}

inline dim3 tile_block() {
  return dim3(kTileCols, kTileRows);
}

// x: the tiles of a feature map, row by row; y: `maps` feature maps; z: the images. x is the
// dimension with the largest limit: the other two end at 65 535.
inline dim3 tile_grid(const Conv2dShape& s, int maps) {
  const int per_map = tiles(s.oh(), kTileRows) * tiles(s.ow(), kTileCols);
  return dim3(static_cast<unsigned>(per_map), static_cast<unsigned>(maps),
              static_cast<unsigned>(s.n));
}

// The output of this thread.
struct OutputPlace {
  int n, map;  // the image; the feature map, counted from the first one of the launch
  int i, j;    // row and column
  bool exists;
};

__device__ inline OutputPlace output_of_thread(const Conv2dShape& s) {
  const int tiles_in_row = tiles(s.ow(), kTileCols);
  const int tile = static_cast<int>(blockIdx.x);
  OutputPlace at;
  at.n = static_cast<int>(blockIdx.z);
  at.map = static_cast<int>(blockIdx.y);
  at.i = tile / tiles_in_row * kTileRows + static_cast<int>(threadIdx.y);
  at.j = tile % tiles_in_row * kTileCols + static_cast<int>(threadIdx.x);
  at.exists = at.i < s.oh() && at.j < s.ow();
  return at;
}
