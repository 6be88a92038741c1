// SPDX-License-Identifier: MIT
// Task 04.4: register blocking. A thread computes GEMM_THREAD_M x GEMM_THREAD_N elements of c: for
// each product index it reads one column and one row of these from shared memory, and multiplies
// each with each.
//
// What may be set when compiling: the tile of a block, GEMM_TILE_M x GEMM_TILE_N elements of c over
// GEMM_TILE_K products at a time, and that of a thread, GEMM_THREAD_M x GEMM_THREAD_N.
#include "unroll_index.cuh"

namespace {

// BEGIN SOLUTION(04.4)
//> // TODO(04.4): the kernel goes here. Each thread keeps the sums of several elements of c in
//> // registers.
#ifndef GEMM_TILE_M
#define GEMM_TILE_M 64
#endif
#ifndef GEMM_TILE_N
#define GEMM_TILE_N 64
#endif
#ifndef GEMM_TILE_K
#define GEMM_TILE_K 16
#endif
#ifndef GEMM_THREAD_M
#define GEMM_THREAD_M 4
#endif
#ifndef GEMM_THREAD_N
#define GEMM_THREAD_N 4
#endif
constexpr int kTileM = GEMM_TILE_M, kTileN = GEMM_TILE_N, kTileK = GEMM_TILE_K;
constexpr int kThreadM = GEMM_THREAD_M, kThreadN = GEMM_THREAD_N;
static_assert(kTileM % kThreadM == 0 && kTileN % kThreadN == 0, "threads fill the tile");
constexpr int kThreadsM = kTileM / kThreadM, kThreadsN = kTileN / kThreadN;
constexpr int kThreads = kThreadsM * kThreadsN;
static_assert(kThreads >= 32 && kThreads <= 1024, "a block has 32 to 1024 threads");
static_assert((kTileM + 1 + kTileN) * kTileK * 4 <= 48 * 1024, "both tiles in 48 KiB");

__global__ void __launch_bounds__(kThreads)
    gemm_blocked_kernel(const float* __restrict__ a, const float* __restrict__ b,
                        float* __restrict__ c, int m, int n, int k) {
  // a is stored transposed: what a thread reads together is then in one row. One column more, so
  // that a warp that stores a row of a meets different banks.
  __shared__ float a_tile[kTileK][kTileM + 1], b_tile[kTileK][kTileN];
  const int t = threadIdx.x, ty = t / kThreadsN, tx = t % kThreadsN;
  const int first_row = blockIdx.y * kTileM, first_col = blockIdx.x * kTileN;

  // The elements of a thread lie kThreadsM rows and kThreadsN columns apart: neighbouring threads
  // read neighbouring words of b_tile and store neighbouring elements of c.
  float sum[kThreadM][kThreadN] = {};
  for (int first = 0; first < k; first += kTileK) {
    for (int at = t; at < kTileM * kTileK; at += kThreads) {
      const int r = at / kTileK, p = at % kTileK;
      const bool inside = first_row + r < m && first + p < k;
      a_tile[p][r] = inside ? a[int64_t(first_row + r) * k + first + p] : 0.0f;
    }
    for (int at = t; at < kTileK * kTileN; at += kThreads) {
      const int p = at / kTileN, r = at % kTileN;
      const bool inside = first + p < k && first_col + r < n;
      b_tile[p][r] = inside ? b[int64_t(first + p) * n + first_col + r] : 0.0f;
    }
    __syncthreads();  // the tiles are complete
    for (int p = 0; p < kTileK; ++p) {
      float column[kThreadM], row[kThreadN];
#pragma unroll
      for (int r = 0; r < kThreadM; ++r) column[r] = a_tile[p][ty + r * kThreadsM];
#pragma unroll
      for (int s = 0; s < kThreadN; ++s) row[s] = b_tile[p][tx + s * kThreadsN];
#pragma unroll
      for (int r = 0; r < kThreadM; ++r) {
#pragma unroll
        for (int s = 0; s < kThreadN; ++s) sum[r][s] += column[r] * row[s];
      }
    }
    __syncthreads();  // everyone is done with them
  }

#pragma unroll
  for (int r = 0; r < kThreadM; ++r) {
    const int row = first_row + ty + r * kThreadsM;
#pragma unroll
    for (int s = 0; s < kThreadN; ++s) {
      const int col = first_col + tx + s * kThreadsN;
      if (row < m && col < n) c[int64_t(row) * n + col] = sum[r][s];
    }
  }
}
// END SOLUTION

}  // namespace

cudaError_t gemm_blocked(const float* d_a, const float* d_b, float* d_c, int m, int n, int k,
                         cudaStream_t stream) {
  // BEGIN SOLUTION(04.4)
  //> // TODO(04.4): launch it.
  //> CONVKIT_TODO("04.4");
  //> return cudaSuccess;
  const dim3 grid(static_cast<unsigned>(ceil_div(n, kTileN)),
                  static_cast<unsigned>(ceil_div(m, kTileM)));
  gemm_blocked_kernel<<<grid, kThreads, 0, stream>>>(d_a, d_b, d_c, m, n, k);
  return cudaGetLastError();
  // END SOLUTION
}
