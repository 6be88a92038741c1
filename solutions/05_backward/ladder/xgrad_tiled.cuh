// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// Rung 1 of conv2d_xgrad_gemm. Against conv2d_xgrad_gather, a block shares a tile of dy in shared
// memory: with stride 1 dx is the full correlation of dy with the filters turned by 180 degrees.
// What it gained: the table "The ladder" of the handout.
#pragma once

#include "../taps.cuh"

namespace patch {

constexpr int kTileH = 8, kTileW = 32;  // elements of dx of a block, and its threads
constexpr int kMostKernel = 7;

// Other shapes go the way of fast/gemm_products.cuh.
inline bool supports(const Conv2dShape& s) {
  return s.stride_h == 1 && s.stride_w == 1 && s.dilation_h == 1 && s.dilation_w == 1;
}

__global__ void __launch_bounds__(kTileH* kTileW)
    xgrad_tiled_kernel(const float* __restrict__ dy, const float* __restrict__ w,
                       float* __restrict__ dx, const Conv2dShape s, bool accumulate) {
  __shared__ float tile[kTileH + kMostKernel - 1][kTileW + kMostKernel - 1];
  const int ty = threadIdx.y, tx = threadIdx.x, c = blockIdx.y, n = blockIdx.z;
  const int oh = s.oh(), ow = s.ow(), tiles_across = (s.w + kTileW - 1) / kTileW;
  const int first_row = blockIdx.x / tiles_across * kTileH;
  const int first_col = blockIdx.x % tiles_across * kTileW;
  // The first output that the tile's first element went into, through the kernel's last tap.
  const int first_i = first_row + s.pad_h - (s.kh - 1);
  const int first_j = first_col + s.pad_w - (s.kw - 1);

  float sum = 0.0f;
  for (int m = 0; m < s.m; ++m) {
    for (int row = ty; row < kTileH + s.kh - 1; row += kTileH) {
      for (int col = tx; col < kTileW + s.kw - 1; col += kTileW) {
        const int i = first_i + row, j = first_j + col;
        const bool inside = i >= 0 && i < oh && j >= 0 && j < ow;
        tile[row][col] = inside ? dy[place(n, m, s.m, i, oh, j, ow)] : 0.0f;
      }
    }
    __syncthreads();  // the tile is complete before anyone computes with it
    const float* kernel = w + (int64_t(m) * s.c + c) * s.kh * s.kw;
    for (int p = 0; p < s.kh; ++p) {
      for (int q = 0; q < s.kw; ++q) {
        sum += tile[ty + s.kh - 1 - p][tx + s.kw - 1 - q] * kernel[p * s.kw + q];
      }
    }
    __syncthreads();  // everyone is done with it before the next map replaces it
  }
  const int row = first_row + ty, col = first_col + tx;
  if (row >= s.h || col >= s.w) return;
  float& element = dx[place(n, c, s.c, row, s.h, col, s.w)];
  element = accumulate ? element + sum : sum;
}

inline cudaError_t xgrad(const float* d_dy, const float* d_w, float* d_dx, const Conv2dShape& s,
                         bool accumulate, cudaStream_t stream) {
  if (s.n == 0) return cudaSuccess;
  const int tiles = (s.h + kTileH - 1) / kTileH * ((s.w + kTileW - 1) / kTileW);
  xgrad_tiled_kernel<<<dim3(tiles, s.c, s.n), dim3(kTileW, kTileH), 0, stream>>>(d_dy, d_w, d_dx, s,
                                                                                 accumulate);
  return cudaGetLastError();
}

}  // namespace patch
