// SPDX-License-Identifier: MIT
#include "direct_conv.h"

#define TILE 16

__global__ void conv(const float* x, const float* w, const float* b, float* y, Conv2dShape s) {
  int tiles_w = (s.ow() + TILE - 1) / TILE;
  int n = blockIdx.z, m = blockIdx.y;
  int i = blockIdx.x / tiles_w * TILE + threadIdx.y;
  int j = blockIdx.x % tiles_w * TILE + threadIdx.x;
  if (i >= s.oh() || j >= s.ow()) return;
  float sum = 0;
  for (int c = 0; c < s.c; c++)
    for (int p = 0; p < s.kh; p++)
      for (int q = 0; q < s.kw; q++) {
        int row = i * s.stride_h - s.pad_h + p * s.dilation_h;
        int col = j * s.stride_w - s.pad_w + q * s.dilation_w;
        if (row >= 0 && row < s.h && col >= 0 && col < s.w)
          sum +=
              x[((n * s.c + c) * s.h + row) * s.w + col] * w[((m * s.c + c) * s.kh + p) * s.kw + q];
      }
  y[((n * s.m + m) * s.oh() + i) * s.ow() + j] = sum;
}

cudaError_t conv2d_direct(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                          const Conv2dShape* shape, cudaStream_t stream) {
  int tiles_w = (shape->ow() + TILE - 1) / TILE;
  int tiles_h = (shape->oh() + TILE - 1) / TILE;
  dim3 block(TILE, TILE);
  dim3 grid(tiles_w * tiles_h, shape->m, shape->n);
  conv<<<grid, block, 0, stream>>>(d_x, d_w, d_b, d_y, *shape);
  return cudaGetLastError();
}
