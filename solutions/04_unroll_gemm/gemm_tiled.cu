// SPDX-License-Identifier: MIT
// Task 04.3: the matrix product through tiles in shared memory. A thread computes one element of c;
// what a block loads once is used by all of its threads.
//
// The tile may be set when compiling: GEMM_TILED_M x GEMM_TILED_N elements of c per block, and so
// many threads, over GEMM_TILED_K products at a time.
#include "unroll_index.cuh"

namespace {

// BEGIN SOLUTION(04.3)
//> // TODO(04.3): the kernel goes here: load a tile of a and one of b, barrier, add its products,
//> // barrier, next tiles.
#ifndef GEMM_TILED_M
#define GEMM_TILED_M 16
#endif
#ifndef GEMM_TILED_N
#define GEMM_TILED_N 32  // a warp is a row of the tile
#endif
#ifndef GEMM_TILED_K
#define GEMM_TILED_K 32
#endif
constexpr int kTileM = GEMM_TILED_M, kTileN = GEMM_TILED_N, kTileK = GEMM_TILED_K;
static_assert(kTileM * kTileN <= 1024, "a block has at most 1024 threads");
static_assert((kTileM + kTileN) * kTileK * 4 <= 48 * 1024, "both tiles in 48 KiB");

__global__ void gemm_tiled_kernel(const float* __restrict__ a, const float* __restrict__ b,
                                  float* __restrict__ c, int m, int n, int k) {
  __shared__ float a_tile[kTileM][kTileK], b_tile[kTileK][kTileN];
  const int ty = threadIdx.y, tx = threadIdx.x;
  const int row = blockIdx.y * kTileM + ty, col = blockIdx.x * kTileN + tx;
  float sum = 0;
  for (int first = 0; first < k; first += kTileK) {
    // Beyond the edge there are zeros: they add nothing, and the loop below needs no tests.
    for (int q = tx; q < kTileK; q += kTileN) {
      a_tile[ty][q] = row < m && first + q < k ? a[int64_t(row) * k + first + q] : 0.0f;
    }
    for (int p = ty; p < kTileK; p += kTileM) {
      b_tile[p][tx] = first + p < k && col < n ? b[int64_t(first + p) * n + col] : 0.0f;
    }
    __syncthreads();  // the tiles are complete before anyone computes with them
    for (int p = 0; p < kTileK; ++p) sum += a_tile[ty][p] * b_tile[p][tx];
    __syncthreads();  // everyone is done with them before the next ones replace them
  }
  if (row < m && col < n) c[int64_t(row) * n + col] = sum;
}
// END SOLUTION

}  // namespace

cudaError_t gemm_tiled(const float* d_a, const float* d_b, float* d_c, int m, int n, int k,
                       cudaStream_t stream) {
  // BEGIN SOLUTION(04.3)
  //> // TODO(04.3): launch it: enough blocks for the last rows and columns, too.
  //> CONVKIT_TODO("04.3");
  //> return cudaSuccess;
  const dim3 block(kTileN, kTileM);
  const dim3 grid(static_cast<unsigned>(ceil_div(n, kTileN)),
                  static_cast<unsigned>(ceil_div(m, kTileM)));
  gemm_tiled_kernel<<<grid, block, 0, stream>>>(d_a, d_b, d_c, m, n, k);
  return cudaGetLastError();
  // END SOLUTION
}
