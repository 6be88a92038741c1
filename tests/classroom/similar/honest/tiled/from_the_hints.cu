// SPDX-License-Identifier: MIT
// Hint after hint: load in strided loops, barrier, compute, barrier.
#include "tile.cuh"

namespace {

constexpr int kTile = 16;

__global__ void conv2d_tiled_kernel(const float* x, const float* w, const float* b, float* y,
                                    Conv2dShape shape) {
  extern __shared__ float tile[];
  const int n = blockIdx.z;
  const int m = blockIdx.y;
  const int tile_rows = input_extent(kTile, shape.stride_h, shape.kh, shape.dilation_h);
  const int tile_cols = input_extent(kTile, shape.stride_w, shape.kw, shape.dilation_w);
  const TileOrigin start = tile_origin(blockIdx.x, shape.ow(), kTile, kTile);
  const int i = start.i + threadIdx.y;
  const int j = start.j + threadIdx.x;
  const int in_row = start.i * shape.stride_h - shape.pad_h;
  const int in_col = start.j * shape.stride_w - shape.pad_w;
  float sum = b[m];
  for (int c = 0; c < shape.c; ++c) {
    const float* channel = x + (int64_t(n) * shape.c + c) * shape.h * shape.w;
    for (int row = threadIdx.y; row < tile_rows; row += blockDim.y) {
      for (int col = threadIdx.x; col < tile_cols; col += blockDim.x) {
        tile[row * tile_cols + col] = padded(channel, shape, in_row + row, in_col + col);
      }
    }
    __syncthreads();
    for (int p = 0; p < shape.kh; ++p) {
      for (int q = 0; q < shape.kw; ++q) {
        const int tr = threadIdx.y * shape.stride_h + p * shape.dilation_h;
        const int tc = threadIdx.x * shape.stride_w + q * shape.dilation_w;
        sum += tile[tr * tile_cols + tc] *
               w[((int64_t(m) * shape.c + c) * shape.kh + p) * shape.kw + q];
      }
    }
    __syncthreads();
  }
  if (i < shape.oh() && j < shape.ow()) {
    y[((int64_t(n) * shape.m + m) * shape.oh() + i) * shape.ow() + j] = sum;
  }
}

}  // namespace

cudaError_t conv2d_tiled(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                         const Conv2dShape* shape, cudaStream_t stream) {
  const int rows = input_extent(kTile, shape->stride_h, shape->kh, shape->dilation_h);
  const int cols = input_extent(kTile, shape->stride_w, shape->kw, shape->dilation_w);
  const size_t bytes = rows * cols * sizeof(float);
  cudaError_t error = cudaFuncSetAttribute(conv2d_tiled_kernel,
                                           cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes));
  if (error != cudaSuccess) return error;
  const int tiles = ceil_div(shape->oh(), kTile) * ceil_div(shape->ow(), kTile);
  conv2d_tiled_kernel<<<dim3(tiles, shape->m, shape->n), dim3(kTile, kTile), bytes, stream>>>(
      d_x, d_w, d_b, d_y, *shape);
  return cudaGetLastError();
}
