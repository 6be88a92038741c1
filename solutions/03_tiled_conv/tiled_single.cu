// SPDX-License-Identifier: MIT
// Task 03.1: one input channel through a tile in shared memory. A block is as large as its input
// tile: every thread loads one element, and those that load the halo compute nothing.
#include "tile.cuh"

namespace {

// BEGIN SOLUTION(03.1)
//> // TODO(03.1): the kernel goes here. Blocks of 16 x 32 threads are a good size: a warp is then a
//> // row of the tile.
// The block, and so the input tile. 32 columns: a warp is a row of it.
constexpr int kBlockH = 16, kBlockW = 32;

__global__ void conv2d_tiled_single_kernel(const float* __restrict__ x, const float* __restrict__ w,
                                           const float* __restrict__ b, float* __restrict__ y,
                                           const Conv2dShape s, int tile_h, int tile_w) {
  __shared__ float tile[kBlockH][kBlockW];
  const int m = blockIdx.y, n = blockIdx.z;
  const int oh = s.oh(), ow = s.ow();
  const TileOrigin origin = tile_origin(blockIdx.x, ow, tile_h, tile_w);
  const int ty = threadIdx.y, tx = threadIdx.x;

  // With stride 1 the input tile starts at the window of the tile's first output.
  const float* image = x + int64_t(n) * s.h * s.w;
  tile[ty][tx] = padded(image, s, origin.i - s.pad_h + ty, origin.j - s.pad_w + tx);
  __syncthreads();  // the window holds elements that other threads have loaded

  // No thread may leave before the barrier: the halo is loaded by threads without an output.
  const int i = origin.i + ty, j = origin.j + tx;
  if (ty >= tile_h || tx >= tile_w || i >= oh || j >= ow) return;
  const float* filter = w + int64_t(m) * s.kh * s.kw;
  float sum = b[m];
  for (int p = 0; p < s.kh; ++p) {
    for (int q = 0; q < s.kw; ++q) sum += tile[ty + p][tx + q] * filter[p * s.kw + q];
  }
  y[((int64_t(n) * s.m + m) * oh + i) * ow + j] = sum;
}
// END SOLUTION

}  // namespace

cudaError_t conv2d_tiled_single(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                                const Conv2dShape* shape, cudaStream_t stream) {
  // BEGIN SOLUTION(03.1)
  //> // TODO(03.1): launch it on `stream`. A block of B x B threads computes a tile of B - (kh - 1)
  //> // rows and B - (kw - 1) columns of one map of one image. Return the error of the launch.
  //> CONVKIT_TODO("03.1");
  //> return cudaSuccess;
  const Conv2dShape& s = *shape;
  const int tile_h = kBlockH - (s.kh - 1), tile_w = kBlockW - (s.kw - 1);
  const dim3 grid(ceil_div(s.oh(), tile_h) * ceil_div(s.ow(), tile_w), s.m, s.n);
  const dim3 block(kBlockW, kBlockH);
  conv2d_tiled_single_kernel<<<grid, block, 0, stream>>>(d_x, d_w, d_b, d_y, s, tile_h, tile_w);
  return cudaGetLastError();
  // END SOLUTION
}
