// SPDX-License-Identifier: MIT
// Task 04.4: register blocking. A thread computes GEMM_THREAD_M x GEMM_THREAD_N elements of c: for
// each product index it reads one column and one row of these from shared memory, and multiplies
// each with each.
//
// What may be set when compiling: the tile of a block, GEMM_TILE_M x GEMM_TILE_N elements of c over
// GEMM_TILE_K products at a time, and that of a thread, GEMM_THREAD_M x GEMM_THREAD_N.
#include "unroll_index.cuh"

namespace {

// TODO(04.4): the kernel goes here. Each thread keeps the sums of several elements of c in
// registers.

}  // namespace

cudaError_t gemm_blocked(const float* d_a, const float* d_b, float* d_c, int m, int n, int k,
                         cudaStream_t stream) {
  // TODO(04.4): launch it.
  CONVKIT_TODO("04.4");
  return cudaSuccess;
}
