// SPDX-License-Identifier: MIT

#include "tiled_conv.h"

#define TILE 16

__global__ void tiled_kernel(const float* x, const float* w, const float* b, float* y,
                             Conv2dShape s) {
  extern __shared__ float tile[];
  const int rows = (TILE - 1) * s.stride_h + (s.kh - 1) * s.dilation_h + 1;
  const int cols = (TILE - 1) * s.stride_w + (s.kw - 1) * s.dilation_w + 1;
  const int oh = s.oh(), ow = s.ow();
  const int tiles_w = (ow + TILE - 1) / TILE;
  const int i0 = blockIdx.x / tiles_w * TILE, j0 = blockIdx.x % tiles_w * TILE;
  const int ty = threadIdx.y, tx = threadIdx.x;
  const int i = i0 + ty, j = j0 + tx;
  const int n = blockIdx.y, m = blockIdx.z;
  if (n >= s.n || m >= s.m) return;
  float sum = b[m];
  for (int c = 0; c < s.c; ++c) {
    for (int r = ty; r < rows; r += TILE) {
      for (int k = tx; k < cols; k += TILE) {
        const int row = i0 * s.stride_h - s.pad_h + r;
        const int col = j0 * s.stride_w - s.pad_w + k;
        float value = 0;
        if (row >= 0 && row < s.h && col >= 0 && col < s.w) {
          value = x[((int64_t(n) * s.c + c) * s.h + row) * s.w + col];
        }
        tile[r * cols + k] = value;
      }
    }
    __syncthreads();
    if (i < oh && j < ow) {
      for (int p = 0; p < s.kh; ++p) {
        for (int q = 0; q < s.kw; ++q) {
          sum += tile[(ty * s.stride_h + p * s.dilation_h) * cols + tx * s.stride_w +
                      q * s.dilation_w] *
                 w[((int64_t(m) * s.c + c) * s.kh + p) * s.kw + q];
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
  const int rows = (TILE - 1) * s.stride_h + (s.kh - 1) * s.dilation_h + 1;
  const int cols = (TILE - 1) * s.stride_w + (s.kw - 1) * s.dilation_w + 1;
  const int bytes = rows * cols * sizeof(float);
  cudaFuncSetAttribute(tiled_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  const int tiles_h = (s.oh() + TILE - 1) / TILE, tiles_w = (s.ow() + TILE - 1) / TILE;
  const dim3 grid(tiles_h * tiles_w, s.m, s.n), block(TILE, TILE);
  tiled_kernel<<<grid, block, bytes, stream>>>(d_x, d_w, d_b, d_y, s);
  return cudaGetLastError();
}
