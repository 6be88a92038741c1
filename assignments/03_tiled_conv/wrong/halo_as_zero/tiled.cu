// SPDX-License-Identifier: MIT

#include "tiled_conv.h"

#define TILE 16

__global__ void tiled_kernel(const float* x, const float* w, const float* b, float* y,
                             Conv2dShape s) {
  __shared__ float tile[TILE][TILE];
  const int oh = s.oh(), ow = s.ow();
  const int tiles_w = (ow + TILE - 1) / TILE;
  const int i0 = blockIdx.x / tiles_w * TILE, j0 = blockIdx.x % tiles_w * TILE;
  const int ty = threadIdx.y, tx = threadIdx.x;
  const int i = i0 + ty, j = j0 + tx;
  const int m = blockIdx.y, n = blockIdx.z;
  float sum = b[m];
  for (int c = 0; c < s.c; ++c) {
    const int row = i0 * s.stride_h - s.pad_h + ty;
    const int col = j0 * s.stride_w - s.pad_w + tx;
    tile[ty][tx] = 0;
    if (row >= 0 && row < s.h && col >= 0 && col < s.w) {
      tile[ty][tx] = x[((int64_t(n) * s.c + c) * s.h + row) * s.w + col];
    }
    __syncthreads();
    if (i < oh && j < ow) {
      for (int p = 0; p < s.kh; ++p) {
        for (int q = 0; q < s.kw; ++q) {
          const int r = ty * s.stride_h + p * s.dilation_h;
          const int k = tx * s.stride_w + q * s.dilation_w;
          if (r >= TILE || k >= TILE) continue;
          sum += tile[r][k] * w[((int64_t(m) * s.c + c) * s.kh + p) * s.kw + q];
        }
      }
    }
    __syncthreads();
  }
  if (i < oh && j < ow) y[((int64_t(n) * s.m + m) * oh + i) * ow + j] = sum;
}

cudaError_t conv2d_tiled(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                         const Conv2dShape* shape, cudaStream_t stream) {
  const Conv2dShape& s = *shape;
  const int tiles_h = (s.oh() + TILE - 1) / TILE, tiles_w = (s.ow() + TILE - 1) / TILE;
  const dim3 grid(tiles_h * tiles_w, s.m, s.n), block(TILE, TILE);
  tiled_kernel<<<grid, block, 0, stream>>>(d_x, d_w, d_b, d_y, s);
  return cudaGetLastError();
}
