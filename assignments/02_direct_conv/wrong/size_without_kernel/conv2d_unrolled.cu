// SPDX-License-Identifier: MIT
#include "direct_conv.h"

#define TILE 16

template <int K>
__global__ void conv(const float* __restrict__ x, const float* __restrict__ w,
                     const float* __restrict__ b, float* __restrict__ y, Conv2dShape s) {
  int tiles_w = (s.ow() + TILE - 1) / TILE;
  int n = blockIdx.z, m = blockIdx.y;
  int i = blockIdx.x / tiles_w * TILE + threadIdx.y;
  int j = blockIdx.x % tiles_w * TILE + threadIdx.x;
  if (i >= s.oh() || j >= s.ow()) return;
  float sum = b[m];
  for (int c = 0; c < s.c; c++) {
#pragma unroll
    for (int p = 0; p < K; p++) {
#pragma unroll
      for (int q = 0; q < K; q++) {
        int row = i * s.stride_h - s.pad_h + p * s.dilation_h;
        int col = j * s.stride_w - s.pad_w + q * s.dilation_w;
        if (row >= 0 && row < s.h && col >= 0 && col < s.w)
          sum += x[((n * s.c + c) * s.h + row) * s.w + col] * w[((m * s.c + c) * K + p) * K + q];
      }
    }
  }
  y[((n * s.m + m) * s.oh() + i) * s.ow() + j] = sum;
}

cudaError_t conv2d_unrolled(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                            const Conv2dShape* shape, cudaStream_t stream) {
  int tiles = ((shape->ow() + TILE - 1) / TILE) * ((shape->oh() + TILE - 1) / TILE);
  dim3 grid(tiles, shape->m, shape->n), block(TILE, TILE);
  if (shape->kh != shape->kw) return conv2d_direct(d_x, d_w, d_b, d_y, shape, stream);
  switch (shape->kh) {  // the usual sizes
    case 1:
      conv<1><<<grid, block, 0, stream>>>(d_x, d_w, d_b, d_y, *shape);
      break;
    case 3:
      conv<3><<<grid, block, 0, stream>>>(d_x, d_w, d_b, d_y, *shape);
      break;
    case 5:
      conv<5><<<grid, block, 0, stream>>>(d_x, d_w, d_b, d_y, *shape);
      break;
    case 7:
      conv<7><<<grid, block, 0, stream>>>(d_x, d_w, d_b, d_y, *shape);
      break;
  }
  return cudaGetLastError();
}
