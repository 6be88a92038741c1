// SPDX-License-Identifier: MIT

#include "tiled_conv.h"

#define TILE 16
#define MAPS 4

// Each thread computes one pixel of MAPS maps.
__global__ void blocked_kernel(const float* x, const float* w, const float* b, float* y,
                               Conv2dShape s) {
  extern __shared__ float shared[];
  const int rows = (TILE - 1) * s.stride_h + (s.kh - 1) * s.dilation_h + 1;
  const int cols = (TILE - 1) * s.stride_w + (s.kw - 1) * s.dilation_w + 1;
  const int taps = s.kh * s.kw;
  float* tile = shared;
  float* filters = shared + rows * cols;  // [kh][kw][MAPS]
  const int oh = s.oh(), ow = s.ow();
  const int tiles_w = (ow + TILE - 1) / TILE;
  const int i0 = blockIdx.x / tiles_w * TILE, j0 = blockIdx.x % tiles_w * TILE;
  const int ty = threadIdx.y, tx = threadIdx.x, t = ty * TILE + tx;
  const int i = i0 + ty, j = j0 + tx;
  const int m0 = blockIdx.y * MAPS, n = blockIdx.z;
  float sum[MAPS] = {};
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
    for (int k = t; k < MAPS * taps; k += TILE * TILE) {
      const int m = m0 + k % MAPS;
      filters[k] = m < s.m ? w[(int64_t(m) * s.c + c) * taps + k / MAPS] : 0;
    }
    __syncthreads();
    for (int p = 0; p < s.kh; ++p) {
      for (int q = 0; q < s.kw; ++q) {
        const float value =
            tile[(ty * s.stride_h + p * s.dilation_h) * cols + tx * s.stride_w + q * s.dilation_w];
        const float4 weights = ((const float4*)filters)[p * s.kw + q];
        sum[0] += value * weights.x;
        sum[1] += value * weights.y;
        sum[2] += value * weights.z;
        sum[3] += value * weights.w;
      }
    }
    __syncthreads();
  }
  if (i >= oh || j >= ow) return;
  for (int k = 0; k < MAPS; ++k) {
    const int m = m0 + k;
    if (m < s.m) y[((int64_t(n) * s.m + m) * oh + i) * ow + j] = sum[k] + b[m];
  }
}

cudaError_t conv2d_blocked(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                           const Conv2dShape* shape, cudaStream_t stream) {
  const Conv2dShape& s = *shape;
  const int rows = (TILE - 1) * s.stride_h + (s.kh - 1) * s.dilation_h + 1;
  const int cols = (TILE - 1) * s.stride_w + (s.kw - 1) * s.dilation_w + 1;
  const int bytes = (rows * cols + MAPS * s.kh * s.kw) * sizeof(float);
  cudaFuncSetAttribute(blocked_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  const int tiles = (s.oh() + TILE - 1) / TILE * ((s.ow() + TILE - 1) / TILE);
  const dim3 grid(tiles, (s.m + MAPS - 1) / MAPS, s.n), block(TILE, TILE);
  blocked_kernel<<<grid, block, bytes, stream>>>(d_x, d_w, d_b, d_y, s);
  return cudaGetLastError();
}
