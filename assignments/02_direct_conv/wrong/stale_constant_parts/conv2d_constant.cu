// SPDX-License-Identifier: MIT
#include "direct_conv.h"

#define TILE 16
#define FLOATS (64 * 1024 / 4)

__constant__ float filters[FLOATS];

__global__ void conv(const float* x, const float* b, float* y, Conv2dShape s, int first) {
  int tiles_w = (s.ow() + TILE - 1) / TILE;
  int n = blockIdx.z, m = first + blockIdx.y;
  int i = blockIdx.x / tiles_w * TILE + threadIdx.y;
  int j = blockIdx.x % tiles_w * TILE + threadIdx.x;
  if (i >= s.oh() || j >= s.ow()) return;
  const float* w = filters + blockIdx.y * s.c * s.kh * s.kw;
  float sum = b[m];
  for (int c = 0; c < s.c; c++)
    for (int p = 0; p < s.kh; p++)
      for (int q = 0; q < s.kw; q++) {
        int row = i * s.stride_h - s.pad_h + p * s.dilation_h;
        int col = j * s.stride_w - s.pad_w + q * s.dilation_w;
        if (row >= 0 && row < s.h && col >= 0 && col < s.w)
          sum += x[((n * s.c + c) * s.h + row) * s.w + col] * w[(c * s.kh + p) * s.kw + q];
      }
  y[((n * s.m + m) * s.oh() + i) * s.ow() + j] = sum;
}

cudaError_t conv2d_constant(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                            const Conv2dShape* shape, cudaStream_t stream) {
  int filter = shape->c * shape->kh * shape->kw;
  int fitting = FLOATS / filter;
  int tiles = ((shape->ow() + TILE - 1) / TILE) * ((shape->oh() + TILE - 1) / TILE);
  for (int first = 0; first < shape->m; first += fitting) {
    int maps = shape->m - first < fitting ? shape->m - first : fitting;
    cudaError_t err = cudaMemcpyToSymbolAsync(filters, d_w, maps * filter * sizeof(float), 0,
                                              cudaMemcpyDeviceToDevice, stream);
    if (err != cudaSuccess) return err;
    conv<<<dim3(tiles, maps, shape->n), dim3(TILE, TILE), 0, stream>>>(d_x, d_b, d_y, *shape,
                                                                       first);
    err = cudaGetLastError();
    if (err != cudaSuccess) return err;
  }
  return cudaSuccess;
}
