// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// Rung 2 of conv2d_blocked. Against four_maps.cuh, a thread computes seven rows of its column: for
// one column of taps it loads 7 + kKernel - 1 elements to registers, not 7 * kKernel.
// What it gained: the table "The ladder" of the handout.
#pragma once

#include "../tile.cuh"

namespace blocked {

constexpr int kMaps = 4, kRows = 7;                   // of a thread
constexpr int kStrips = 4;                            // threads below one another
constexpr int kTileH = kStrips * kRows, kTileW = 32;  // outputs of a block in each map
constexpr int kThreads = kStrips * kTileW;

// A kernel of kKernel x kKernel with stride and dilation 1. The loops over sums are unrolled:
// registers have no index.
template <int kKernel>
__global__ void __launch_bounds__(kThreads)
    rows_and_maps_kernel(const float* __restrict__ x, const float* __restrict__ w,
                         const float* __restrict__ b, float* __restrict__ y, const Conv2dShape s) {
  constexpr int kInputH = kTileH + kKernel - 1, kInputW = kTileW + kKernel - 1;
  constexpr int kTaps = kKernel * kKernel;
  __shared__ float tile[kInputH][kInputW], filters[kMaps][kTaps];
  const int column = threadIdx.x, strip = threadIdx.y, first_row = strip * kRows;
  const int first_map = blockIdx.y * kMaps, n = blockIdx.z;
  const int oh = s.oh(), ow = s.ow();
  const TileOrigin origin = tile_origin(blockIdx.x, ow, kTileH, kTileW);

  float sum[kMaps][kRows] = {};
  for (int c = 0; c < s.c; ++c) {
    const float* channel = x + (int64_t(n) * s.c + c) * s.h * s.w;
    for (int row = strip; row < kInputH; row += kStrips) {
      for (int col = column; col < kInputW; col += kTileW) {
        tile[row][col] = padded(channel, s, origin.i - s.pad_h + row, origin.j - s.pad_w + col);
      }
    }
    for (int at = strip * kTileW + column; at < kMaps * kTaps; at += kThreads) {
      const int m = first_map + at / kTaps;
      filters[at / kTaps][at % kTaps] =
          m < s.m ? w[(int64_t(m) * s.c + c) * kTaps + at % kTaps] : 0.0f;
    }
    __syncthreads();  // tile and filters are complete before anyone computes with them
    for (int q = 0; q < kKernel; ++q) {
      float value[kRows + kKernel - 1];  // of one column: the windows of all rows overlap in it
#pragma unroll
      for (int r = 0; r < kRows + kKernel - 1; ++r) value[r] = tile[first_row + r][column + q];
#pragma unroll
      for (int p = 0; p < kKernel; ++p) {
#pragma unroll
        for (int k = 0; k < kMaps; ++k) {
          const float weight = filters[k][p * kKernel + q];
#pragma unroll
          for (int r = 0; r < kRows; ++r) sum[k][r] += weight * value[r + p];
        }
      }
    }
    __syncthreads();  // everyone is done with them before the next channel replaces them
  }

  const int j = origin.j + column;
#pragma unroll
  for (int k = 0; k < kMaps; ++k) {
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const int m = first_map + k, i = origin.i + first_row + r;
      if (m < s.m && i < oh && j < ow) {
        y[((int64_t(n) * s.m + m) * oh + i) * ow + j] = sum[k][r] + b[m];
      }
    }
  }
}

template <int kKernel>
cudaError_t launch_kernel(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                          const Conv2dShape& s, cudaStream_t stream) {
  const dim3 grid(ceil_div(s.oh(), kTileH) * ceil_div(s.ow(), kTileW), ceil_div(s.m, kMaps), s.n);
  const dim3 block(kTileW, kStrips);
  rows_and_maps_kernel<kKernel><<<grid, block, 0, stream>>>(d_x, d_w, d_b, d_y, s);
  return cudaGetLastError();
}

inline cudaError_t launch(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                          const Conv2dShape& s, cudaStream_t stream) {
  const bool plain =
      s.kh == s.kw && s.stride_h == 1 && s.stride_w == 1 && s.dilation_h == 1 && s.dilation_w == 1;
  if (plain && s.kh == 3) return launch_kernel<3>(d_x, d_w, d_b, d_y, s, stream);
  if (plain && s.kh == 5) return launch_kernel<5>(d_x, d_w, d_b, d_y, s, stream);
  if (plain && s.kh == 7) return launch_kernel<7>(d_x, d_w, d_b, d_y, s, stream);
  return conv2d_tiled(d_x, d_w, d_b, d_y, &s, stream);  // all others
}

}  // namespace blocked
