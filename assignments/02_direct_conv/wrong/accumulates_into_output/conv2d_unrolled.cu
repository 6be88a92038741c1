// SPDX-License-Identifier: MIT
#include "direct_conv.h"

#define TILE 16

// More parallel: a thread for every output and every channel.
__global__ void conv(const float* x, const float* w, const float* b, float* y, Conv2dShape s) {
  int tiles_w = (s.ow() + TILE - 1) / TILE;
  int n = blockIdx.z / s.c, c = blockIdx.z % s.c, m = blockIdx.y;
  int i = blockIdx.x / tiles_w * TILE + threadIdx.y;
  int j = blockIdx.x % tiles_w * TILE + threadIdx.x;
  if (i >= s.oh() || j >= s.ow()) return;
  float sum = c == 0 ? b[m] : 0;
  for (int p = 0; p < s.kh; p++)
    for (int q = 0; q < s.kw; q++) {
      int row = i * s.stride_h - s.pad_h + p * s.dilation_h;
      int col = j * s.stride_w - s.pad_w + q * s.dilation_w;
      if (row >= 0 && row < s.h && col >= 0 && col < s.w)
        sum +=
            x[((n * s.c + c) * s.h + row) * s.w + col] * w[((m * s.c + c) * s.kh + p) * s.kw + q];
    }
  atomicAdd(&y[((n * s.m + m) * s.oh() + i) * s.ow() + j], sum);
}

cudaError_t conv2d_unrolled(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                            const Conv2dShape* shape, cudaStream_t stream) {
  int tiles = ((shape->ow() + TILE - 1) / TILE) * ((shape->oh() + TILE - 1) / TILE);
  dim3 grid(tiles, shape->m, shape->n * shape->c), block(TILE, TILE);
  conv<<<grid, block, 0, stream>>>(d_x, d_w, d_b, d_y, *shape);
  return cudaGetLastError();
}
