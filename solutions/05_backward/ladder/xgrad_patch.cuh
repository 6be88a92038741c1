// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// Rung 2 of conv2d_xgrad_gemm. Against xgrad_tiled.cuh, a thread owns a patch of 7 x 4 elements:
// the weights of a map stay in registers, and a row of the tile, once loaded, serves all their
// rows. What it gained: the table "The ladder" of the handout.
#pragma once

#include "../taps.cuh"

namespace patch {

constexpr int kRows = 7, kColumns = 4;   // of a patch
constexpr int kStrips = 4, kAcross = 8;  // patches of a warp, down and across
constexpr int kChannels = 4;             // of a block, a warp each: they share the tile
constexpr int kThreadsOfPatches = kStrips * kAcross * kChannels;
constexpr int kTileH = kStrips * kRows, kTileW = kAcross * kColumns;

// Other shapes go the way of fast/gemm_products.cuh.
inline bool supports(const Conv2dShape& s) {
  const bool plain =
      s.kh == s.kw && s.stride_h == 1 && s.stride_w == 1 && s.dilation_h == 1 && s.dilation_w == 1;
  return plain && (s.kh == 3 || s.kh == 5 || s.kh == 7);
}

template <int kKernel>
__global__ void __launch_bounds__(kThreadsOfPatches)
    xgrad_patch_kernel(const float* __restrict__ dy, const float* __restrict__ w,
                       float* __restrict__ dx, const Conv2dShape s, bool accumulate) {
  constexpr int kInputH = kTileH + kKernel - 1, kInputW = kTileW + kKernel - 1;
  constexpr int kTaps = kKernel * kKernel;
  __shared__ float tile[kInputH][kInputW], turned[kChannels][kTaps];
  const int t = threadIdx.x, across = t % kAcross, strip = t / kAcross % kStrips;
  const int channel = t / (kAcross * kStrips), first_channel = blockIdx.y * kChannels;
  const int n = blockIdx.z, oh = s.oh(), ow = s.ow();
  const int tiles_across = (s.w + kTileW - 1) / kTileW;
  const int first_row = blockIdx.x / tiles_across * kTileH;
  const int first_col = blockIdx.x % tiles_across * kTileW;

  float sum[kRows][kColumns] = {};
  for (int m = 0; m < s.m; ++m) {
    for (int at = t; at < kInputH * kInputW; at += kThreadsOfPatches) {
      const int i = first_row + s.pad_h - (kKernel - 1) + at / kInputW;
      const int j = first_col + s.pad_w - (kKernel - 1) + at % kInputW;
      const bool inside = i >= 0 && i < oh && j >= 0 && j < ow;
      tile[at / kInputW][at % kInputW] = inside ? dy[place(n, m, s.m, i, oh, j, ow)] : 0.0f;
    }
    for (int at = t; at < kChannels * kTaps; at += kThreadsOfPatches) {
      const int c = first_channel + at / kTaps, tap = kTaps - 1 - at % kTaps;
      turned[at / kTaps][at % kTaps] = c < s.c ? w[(int64_t(m) * s.c + c) * kTaps + tap] : 0.0f;
    }
    __syncthreads();  // tile and weights are complete before anyone computes with them
    float weight[kTaps];
#pragma unroll
    for (int k = 0; k < kTaps; ++k) weight[k] = turned[channel][k];
#pragma unroll
    for (int r = 0; r < kRows + kKernel - 1; ++r) {
      float value[kColumns + kKernel - 1];
#pragma unroll
      for (int k = 0; k < kColumns + kKernel - 1; ++k) {
        value[k] = tile[strip * kRows + r][across * kColumns + k];
      }
#pragma unroll
      for (int p = 0; p < kKernel; ++p) {
        if (r - p < 0 || r - p >= kRows) continue;  // known at compile time
#pragma unroll
        for (int q = 0; q < kKernel; ++q) {
#pragma unroll
          for (int j = 0; j < kColumns; ++j)
            sum[r - p][j] += weight[p * kKernel + q] * value[j + q];
        }
      }
    }
    __syncthreads();  // everyone is done with them before the next map replaces them
  }

  const int c = first_channel + channel;
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
#pragma unroll
    for (int j = 0; j < kColumns; ++j) {
      const int row = first_row + strip * kRows + r, col = first_col + across * kColumns + j;
      if (c >= s.c || row >= s.h || col >= s.w) continue;
      float& element = dx[place(n, c, s.c, row, s.h, col, s.w)];
      element = accumulate ? element + sum[r][j] : sum[r][j];
    }
  }
}

inline cudaError_t xgrad(const float* d_dy, const float* d_w, float* d_dx, const Conv2dShape& s,
                         bool accumulate, cudaStream_t stream) {
  if (s.n == 0) return cudaSuccess;
  const int tiles = (s.h + kTileH - 1) / kTileH * ((s.w + kTileW - 1) / kTileW);
  const dim3 grid(tiles, (s.c + kChannels - 1) / kChannels, s.n);
  const auto kernel = s.kh == 3   ? xgrad_patch_kernel<3>
                      : s.kh == 5 ? xgrad_patch_kernel<5>
                                  : xgrad_patch_kernel<7>;
  kernel<<<grid, kThreadsOfPatches, 0, stream>>>(d_dy, d_w, d_dx, s, accumulate);
  return cudaGetLastError();
}

}  // namespace patch
