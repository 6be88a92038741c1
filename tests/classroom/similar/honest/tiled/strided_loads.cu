// SPDX-License-Identifier: MIT
#include "tile.cuh"

#define TILE 16

__global__ void tiled_kernel(const float* x, const float* w, const float* b, float* y,
                             Conv2dShape s) {
  extern __shared__ float sm[];
  int rows = input_extent(TILE, s.stride_h, s.kh, s.dilation_h);
  int cols = input_extent(TILE, s.stride_w, s.kw, s.dilation_w);
  TileOrigin o = tile_origin(blockIdx.x, s.ow(), TILE, TILE);
  int m = blockIdx.y, n = blockIdx.z;
  int row = o.i + threadIdx.y, col = o.j + threadIdx.x;
  float acc = 0.f;
  for (int c = 0; c < s.c; c++) {
    const float* xc = x + ((size_t)n * s.c + c) * s.h * s.w;
    for (int r = threadIdx.y; r < rows; r += blockDim.y)
      for (int q = threadIdx.x; q < cols; q += blockDim.x)
        sm[r * cols + q] =
            padded(xc, s, o.i * s.stride_h - s.pad_h + r, o.j * s.stride_w - s.pad_w + q);
    __syncthreads();
    const float* wc = w + ((size_t)m * s.c + c) * s.kh * s.kw;
    for (int p = 0; p < s.kh; p++)
      for (int q = 0; q < s.kw; q++)
        acc += sm[(threadIdx.y * s.stride_h + p * s.dilation_h) * cols + threadIdx.x * s.stride_w +
                  q * s.dilation_w] *
               wc[p * s.kw + q];
    __syncthreads();
  }
  if (row < s.oh() && col < s.ow())
    y[(((size_t)n * s.m + m) * s.oh() + row) * s.ow() + col] = acc + b[m];
}

cudaError_t conv2d_tiled(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                         const Conv2dShape* shape, cudaStream_t stream) {
  dim3 block(TILE, TILE);
  dim3 grid(ceil_div(shape->oh(), TILE) * ceil_div(shape->ow(), TILE), shape->m, shape->n);
  size_t bytes = sizeof(float) * input_extent(TILE, shape->stride_h, shape->kh, shape->dilation_h) *
                 input_extent(TILE, shape->stride_w, shape->kw, shape->dilation_w);
  if (bytes > 48 * 1024)
    cudaFuncSetAttribute(tiled_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
  tiled_kernel<<<grid, block, bytes, stream>>>(d_x, d_w, d_b, d_y, *shape);
  return cudaGetLastError();
}
