// SPDX-License-Identifier: MIT
// The geometry of tiles, for host and device: how many tiles cover an output, and how much of the
// input a tile of the output reads.
#pragma once

#include "tiled_conv.h"

// How many parts of `part` elements cover `size`: the quotient, rounded up.
constexpr CONVKIT_HOST_DEVICE int ceil_div(int size, int part) {
  return (size + part - 1) / part;
}

// How many neighbouring inputs the windows of `outputs` neighbouring outputs span, along one axis.
// 16 outputs of a 3x3 kernel read 18 inputs: 16 and a halo of 2.
constexpr CONVKIT_HOST_DEVICE int input_extent(int outputs, int stride, int kernel, int dilation) {
  // BEGIN SOLUTION(03.2)
  //> // TODO(03.2): from the first tap of the first output to the last tap of the last one.
  //> return 0;
  return (outputs - 1) * stride + (kernel - 1) * dilation + 1;
  // END SOLUTION
}

// Where one of the tiles of a grid begins: tiles are counted row by row through blockIdx.x.
struct TileOrigin {
  int i, j;  // row and column of its first output
};

inline __device__ TileOrigin tile_origin(int tile, int output_w, int tile_h, int tile_w) {
  const int tiles_in_a_row = ceil_div(output_w, tile_w);
  return {tile / tiles_in_a_row * tile_h, tile % tiles_in_a_row * tile_w};
}

// An element of one channel [h][w]; zero in the padding, which is not stored.
inline __device__ float padded(const float* channel, const Conv2dShape& s, int row, int col) {
  const bool inside = row >= 0 && row < s.h && col >= 0 && col < s.w;
  return inside ? channel[row * s.w + col] : 0.0f;
}
