// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// The tiled matrix product that all layers are made of: tiles in shared memory, a small rectangle
// of sums in the registers of each thread (stage 04). A `Product` says where the factors come from:
// conv_product.cuh, dense_product.cuh. The next tiles are loaded into registers while the present
// ones are multiplied.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace product {

// A block computes kM x kN sums over kK products at a time, a thread kThreadM x kThreadN of them,
// in squares of 4 x 4. Tiles are stored by k, with a few floats more to a row, so that stores of
// neighbouring k meet different banks.
template <int kBlockM, int kBlockN, int kOfThreadM, int kOfThreadN>
struct Tile {
  static constexpr int kM = kBlockM, kN = kBlockN, kK = 16;
  static constexpr int kThreadM = kOfThreadM, kThreadN = kOfThreadN;
  static constexpr int kThreadsM = kM / kThreadM, kThreadsN = kN / kThreadN;
  static constexpr int kThreads = kThreadsM * kThreadsN;
  static constexpr int kStepM = 4 * kThreadsM, kStepN = 4 * kThreadsN;
  static constexpr int kPitchM = kM + 4, kPitchN = kN + 4;
  static constexpr int kLoadsM = kM * kK / kThreads, kLoadsN = kN * kK / kThreads;

  static_assert(kThreadM % 4 == 0 && kThreadN % 4 == 0, "read four at a time");
  static_assert(kThreadsM % 4 == 0 && kThreadsN % 8 == 0, "a warp is 4 x 8 threads");
  static_assert(kThreads % kN == 0 || kN % kThreads == 0, "threads fill a row of a tile");
};

// Which elements of a tile [kK][kExtent] a thread loads: element u is (depth(u), at(u)).
// Neighbouring threads take neighbouring k.
template <class T, int kExtent>
struct AlongK {
  static constexpr int kCount = kExtent * T::kK / T::kThreads;
  __device__ static int depth(int) { return threadIdx.x % T::kK; }
  __device__ static int at(int u) { return threadIdx.x / T::kK + u * (T::kThreads / T::kK); }
};
// Neighbouring threads take neighbouring rows (of a) or columns (of b).
template <class T, int kExtent>
struct Across {
  static_assert(T::kThreads % kExtent == 0, "a thread keeps its row or column");
  static constexpr int kCount = kExtent * T::kK / T::kThreads;
  __device__ static int depth(int u) { return threadIdx.x / kExtent + u * (T::kThreads / kExtent); }
  __device__ static int at(int) { return threadIdx.x % kExtent; }
};

template <int kCount>
__device__ void read_squares(float (&values)[kCount], const float* first, int step) {
#pragma unroll
  for (int square = 0; square < kCount / 4; ++square) {
    const float4 four = *reinterpret_cast<const float4*>(first + square * step);
    values[4 * square] = four.x, values[4 * square + 1] = four.y;
    values[4 * square + 2] = four.z, values[4 * square + 3] = four.w;
  }
}

// Product: first_k(z) and first_k(z + 1) are what part z of the grid sums over; its Loader<T>, one
// for each thread, gives a(u, k, end) and b(u, k, end), 0 where there is nothing; ends<T>() is
// where sums go.
template <class T, class Product>
__global__ void __launch_bounds__(T::kThreads) product_kernel(const Product product) {
  __shared__ __align__(16) float a[T::kK][T::kPitchM];
  __shared__ __align__(16) float b[T::kK][T::kPitchN];
  using Loader = typename Product::template Loader<T>;
  using MapA = typename Loader::MapA;
  using MapB = typename Loader::MapB;
  constexpr int kWarpsN = T::kThreadsN / 8;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int down = warp / kWarpsN * 4 + lane / 8, across = warp % kWarpsN * 8 + lane % 8;
  const int first_row = blockIdx.y * T::kM, first_col = blockIdx.x * T::kN;
  Loader loader(product, first_row, first_col);

  float sum[T::kThreadM][T::kThreadN] = {};
  float next_a[MapA::kCount], next_b[MapB::kCount];
  const int begin = product.first_k(blockIdx.z), end = product.first_k(blockIdx.z + 1);
  if (begin < end) loader.load(next_a, next_b, begin, end);
  for (int k = begin; k < end; k += T::kK) {
#pragma unroll
    for (int u = 0; u < MapA::kCount; ++u) a[MapA::depth(u)][MapA::at(u)] = next_a[u];
#pragma unroll
    for (int u = 0; u < MapB::kCount; ++u) b[MapB::depth(u)][MapB::at(u)] = next_b[u];
    __syncthreads();  // the tiles are complete
    if (k + T::kK < end) loader.load(next_a, next_b, k + T::kK, end);
#pragma unroll
    for (int d = 0; d < T::kK; ++d) {
      float column[T::kThreadM], row[T::kThreadN];
      read_squares(column, &a[d][4 * down], T::kStepM);
      read_squares(row, &b[d][4 * across], T::kStepN);
#pragma unroll
      for (int r = 0; r < T::kThreadM; ++r) {
#pragma unroll
        for (int s = 0; s < T::kThreadN; ++s) sum[r][s] += column[r] * row[s];
      }
    }
    __syncthreads();  // all are used before the next ones replace them
  }

#pragma unroll
  for (int s = 0; s < T::kThreadN; ++s) {
    const int col = first_col + s / 4 * T::kStepN + 4 * across + s % 4;
    const auto to = product.column(col);
#pragma unroll
    for (int r = 0; r < T::kThreadM; ++r) {
      product.store(first_row + r / 4 * T::kStepM + 4 * down + r % 4, to, sum[r][s]);
    }
  }
}

using Large = Tile<64, 64, 8, 4>;  // 128 threads
using Flat = Tile<32, 64, 8, 4>;   // 64 threads, for few rows
using Small = Tile<32, 32, 4, 4>;  // 64 threads, for few sums

inline int ceil_div(int64_t a, int64_t b) {
  return static_cast<int>((a + b - 1) / b);
}

template <class T, class Product>
cudaError_t launch(const Product& product, int64_t rows, int64_t cols, int parts,
                   cudaStream_t stream) {
  const dim3 grid(ceil_div(cols, T::kN), ceil_div(rows, T::kM), parts);
  product_kernel<T><<<grid, T::kThreads, 0, stream>>>(product);
  return cudaGetLastError();
}

}  // namespace product
