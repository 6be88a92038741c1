// SPDX-License-Identifier: MIT

#include "tiled_conv.h"

#define BLOCK 32

__global__ void single_kernel(const float* x, const float* w, const float* b, float* y,
                              Conv2dShape s, int tile_h, int tile_w) {
  __shared__ float tile[BLOCK][BLOCK];
  const int oh = s.oh(), ow = s.ow();
  const int ty = threadIdx.y, tx = threadIdx.x;
  const int i = blockIdx.y * tile_h + ty, j = blockIdx.x * tile_w + tx;
  const int m = blockIdx.z % s.m, n = blockIdx.z / s.m;
  const int row = ty - s.pad_h, col = tx - s.pad_w;
  if (row >= 0 && row < s.h && col >= 0 && col < s.w) {
    tile[ty][tx] = x[(int64_t(n) * s.h + row) * s.w + col];
  } else {
    tile[ty][tx] = 0;
  }
  __syncthreads();
  if (ty < tile_h && tx < tile_w && i < oh && j < ow) {
    float sum = b[m];
    for (int p = 0; p < s.kh; ++p) {
      for (int q = 0; q < s.kw; ++q) sum += tile[ty + p][tx + q] * w[(m * s.kh + p) * s.kw + q];
    }
    y[((int64_t(n) * s.m + m) * oh + i) * ow + j] = sum;
  }
}

cudaError_t conv2d_tiled_single(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                                const Conv2dShape* shape, cudaStream_t stream) {
  const Conv2dShape& s = *shape;
  const int tile_h = BLOCK - s.kh + 1, tile_w = BLOCK - s.kw + 1;
  const dim3 block(BLOCK, BLOCK);
  const dim3 grid((s.ow() + tile_w - 1) / tile_w, (s.oh() + tile_h - 1) / tile_h, s.m * s.n);
  single_kernel<<<grid, block, 0, stream>>>(d_x, d_w, d_b, d_y, s, tile_h, tile_w);
  return cudaGetLastError();
}
