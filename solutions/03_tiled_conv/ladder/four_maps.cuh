// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// Rung 1 of conv2d_blocked. Against conv2d_tiled, a thread computes its place in four maps: an
// element of the tile, once loaded, serves four products. The filters are in shared memory, too.
// What it gained: the table "The ladder" of the handout.
#pragma once

#include "../tile.cuh"

namespace blocked {

constexpr int kTileH = 8, kTileW = 32;          // outputs of a block in each map, and its threads
constexpr int kMaps = 4;                        // of a thread
constexpr size_t kMostSharedBytes = 48 * 1024;  // of a block, without opting in to more

__global__ void __launch_bounds__(kTileH* kTileW)
    four_maps_kernel(const float* __restrict__ x, const float* __restrict__ w,
                     const float* __restrict__ b, float* __restrict__ y, const Conv2dShape s) {
  extern __shared__ float shared[];
  const int rows = input_extent(kTileH, s.stride_h, s.kh, s.dilation_h);
  const int cols = input_extent(kTileW, s.stride_w, s.kw, s.dilation_w);
  const int taps = s.kh * s.kw;
  float* tile = shared;                   // [rows][cols] of one channel
  float* filters = shared + rows * cols;  // [kMaps][taps] of the same channel
  const int first_map = blockIdx.y * kMaps, n = blockIdx.z;
  const int oh = s.oh(), ow = s.ow();
  const TileOrigin origin = tile_origin(blockIdx.x, ow, kTileH, kTileW);
  const int first_row = origin.i * s.stride_h - s.pad_h;
  const int first_col = origin.j * s.stride_w - s.pad_w;
  const float* window = tile + threadIdx.y * s.stride_h * cols + threadIdx.x * s.stride_w;

  float sum[kMaps] = {};
  for (int c = 0; c < s.c; ++c) {
    const float* channel = x + (int64_t(n) * s.c + c) * s.h * s.w;
    for (int row = threadIdx.y; row < rows; row += kTileH) {
      for (int col = threadIdx.x; col < cols; col += kTileW) {
        tile[row * cols + col] = padded(channel, s, first_row + row, first_col + col);
      }
    }
    for (int at = threadIdx.y * kTileW + threadIdx.x; at < kMaps * taps; at += kTileH * kTileW) {
      const int m = first_map + at / taps;
      filters[at] = m < s.m ? w[(int64_t(m) * s.c + c) * taps + at % taps] : 0.0f;
    }
    __syncthreads();  // tile and filters are complete before anyone computes with them
    for (int p = 0; p < s.kh; ++p) {
      for (int q = 0; q < s.kw; ++q) {
        const float value = window[p * s.dilation_h * cols + q * s.dilation_w];
#pragma unroll
        for (int k = 0; k < kMaps; ++k) sum[k] += filters[k * taps + p * s.kw + q] * value;
      }
    }
    __syncthreads();  // everyone is done with them before the next channel replaces them
  }

  const int i = origin.i + threadIdx.y, j = origin.j + threadIdx.x;
  if (i >= oh || j >= ow) return;
#pragma unroll
  for (int k = 0; k < kMaps; ++k) {
    const int m = first_map + k;
    if (m < s.m) y[((int64_t(n) * s.m + m) * oh + i) * ow + j] = sum[k] + b[m];
  }
}

inline cudaError_t launch(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                          const Conv2dShape& s, cudaStream_t stream) {
  const int rows = input_extent(kTileH, s.stride_h, s.kh, s.dilation_h);
  const int cols = input_extent(kTileW, s.stride_w, s.kw, s.dilation_w);
  const size_t shared_bytes = sizeof(float) * (rows * cols + kMaps * s.kh * s.kw);
  // With a large stride or dilation the tile does not fit: the rung before has a smaller one.
  if (shared_bytes > kMostSharedBytes) return conv2d_tiled(d_x, d_w, d_b, d_y, &s, stream);
  const dim3 grid(ceil_div(s.oh(), kTileH) * ceil_div(s.ow(), kTileW), ceil_div(s.m, kMaps), s.n);
  four_maps_kernel<<<grid, dim3(kTileW, kTileH), shared_bytes, stream>>>(d_x, d_w, d_b, d_y, s);
  return cudaGetLastError();
}

}  // namespace blocked
