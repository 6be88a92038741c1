// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// A tiled matrix product whose factors are never stored: the loaders of its tiles compute where in
// x, w and dy an element of the unrolled matrix comes from. The general way, for any shape.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace implicit {

constexpr int kTile = 64, kDepth = 16;  // outputs of a block along both axes; k of one step
constexpr int kSide = 16, kOwn = 4;     // threads along both axes; outputs of each likewise
constexpr int kBlock = kSide * kSide;   // threads
constexpr int kLoads = kTile * kDepth / kBlock;  // elements of each factor that a thread loads
constexpr int kPitch = kTile + 4;                // a multiple of 4: read as float4

// [k][row] and [k][column]: what a block multiplies in one step.
struct Tiles {
  float a[kDepth][kPitch];
  float b[kDepth][kPitch];
};

inline __device__ void load_four(float (&values)[kOwn], const float* from) {
  const float4 four = *reinterpret_cast<const float4*>(from);
  values[0] = four.x, values[1] = four.y, values[2] = four.z, values[3] = four.w;
}

// Product: what is multiplied. Its Loader, one for each thread, fills the tiles for kDepth values
// of k from `k` on, with zeros where there is nothing; store() takes a sum; part z of the grid sums
// k from first_k(z) to first_k(z + 1).
template <class Product>
__global__ void __launch_bounds__(kBlock) implicit_gemm_kernel(const Product product) {
  __shared__ __align__(16) Tiles tiles;
  const int t = threadIdx.x, across = t % kSide, down = t / kSide;
  const int64_t first_row = int64_t(blockIdx.y) * kTile, first_col = int64_t(blockIdx.x) * kTile;
  typename Product::Loader loader(product, first_row, first_col);

  float sum[kOwn][kOwn] = {};
  const int64_t end = product.first_k(blockIdx.z + 1);
  for (int64_t k = product.first_k(blockIdx.z); k < end; k += kDepth) {
    loader.load(tiles, k, end);
    __syncthreads();  // all is loaded before a thread multiplies
#pragma unroll
    for (int d = 0; d < kDepth; ++d) {
      float a[kOwn], b[kOwn];
      load_four(a, &tiles.a[d][down * kOwn]);
      load_four(b, &tiles.b[d][across * kOwn]);
#pragma unroll
      for (int r = 0; r < kOwn; ++r) {
#pragma unroll
        for (int c = 0; c < kOwn; ++c) sum[r][c] += a[r] * b[c];
      }
    }
    __syncthreads();  // all is used before the next step replaces it
  }
  for (int r = 0; r < kOwn; ++r) {
    for (int c = 0; c < kOwn; ++c) {
      product.store(first_row + down * kOwn + r, first_col + across * kOwn + c, sum[r][c]);
    }
  }
}

template <class Product>
cudaError_t launch(const Product& product, int64_t rows, int64_t cols, int parts,
                   cudaStream_t stream) {
  if (rows == 0 || cols == 0) return cudaSuccess;
  const dim3 grid(static_cast<unsigned>((cols + kTile - 1) / kTile),
                  static_cast<unsigned>((rows + kTile - 1) / kTile), parts);
  implicit_gemm_kernel<<<grid, kBlock, 0, stream>>>(product);
  return cudaGetLastError();
}

}  // namespace implicit
