// SPDX-License-Identifier: MIT
// Task 04.5: the matrix product, fast: four floats with one load, and two buffers of tiles, so that
// the next tiles are on their way while the present ones are multiplied.
#include "unroll_index.cuh"
// BEGIN SOLUTION(04.5)
//
// gemm_tile.cuh has the tile and what a thread does with it. What may be set when compiling is the
// tile for large matrices: GEMM_FAST_TILE_M x GEMM_FAST_TILE_N elements of c per block over
// GEMM_FAST_TILE_K products at a time, GEMM_FAST_THREAD_M x GEMM_FAST_THREAD_N per thread; the same
// with GEMM_SMALL_ for small ones.

#include "gemm_fast.cuh"
#include "gemm_tile.cuh"
#include "multiprocessors.cuh"

#ifndef GEMM_FAST_TILE_M
#define GEMM_FAST_TILE_M 128
#endif
#ifndef GEMM_FAST_TILE_N
#define GEMM_FAST_TILE_N 128
#endif
#ifndef GEMM_FAST_TILE_K
#define GEMM_FAST_TILE_K 16
#endif
#ifndef GEMM_FAST_THREAD_M
#define GEMM_FAST_THREAD_M 8
#endif
#ifndef GEMM_FAST_THREAD_N
#define GEMM_FAST_THREAD_N 8
#endif
#ifndef GEMM_SMALL_TILE_M
#define GEMM_SMALL_TILE_M 64
#endif
#ifndef GEMM_SMALL_TILE_N
#define GEMM_SMALL_TILE_N 128
#endif
#ifndef GEMM_SMALL_TILE_K
#define GEMM_SMALL_TILE_K 16
#endif
#ifndef GEMM_SMALL_THREAD_M
#define GEMM_SMALL_THREAD_M 8
#endif
#ifndef GEMM_SMALL_THREAD_N
#define GEMM_SMALL_THREAD_N 4
#endif
// END SOLUTION

namespace {

// BEGIN SOLUTION(04.5)
//> // TODO(04.5): the kernel goes here.
using Large = Tile<GEMM_FAST_TILE_M, GEMM_FAST_TILE_N, GEMM_FAST_TILE_K, GEMM_FAST_THREAD_M,
                   GEMM_FAST_THREAD_N>;
using Small = Tile<GEMM_SMALL_TILE_M, GEMM_SMALL_TILE_N, GEMM_SMALL_TILE_K, GEMM_SMALL_THREAD_M,
                   GEMM_SMALL_THREAD_N>;
using Flat = Tile<16, 128, 16, 4, 4>;  // for few rows: convolutions with few maps

// The tile of b: kK rows of kN elements, as StagedRows for a, but stored as it is.
template <class T, bool kAligned>
struct StagedColumns {
  static constexpr int kInARow = T::kN / 4, kFours = T::kK * kInARow;
  static constexpr int kEach = (kFours + T::kThreads - 1) / T::kThreads;
  float4 four[kEach];

  // From the matrix b [k][columns]; the tile begins at (first, first_col).
  __device__ void load(const float* b, int first, int k, int first_col, int columns) {
#pragma unroll
    for (int e = 0; e < kEach; ++e) {
      const int at = threadIdx.x + e * T::kThreads;
      const int p = first + at / kInARow, col = first_col + at % kInARow * 4;
      const bool inside = at < kFours && p < k;
      four[e] = load_four<kAligned>(b + int64_t(p) * columns + col, inside ? columns - col : 0);
    }
  }
  __device__ void store(float* tile) const {
#pragma unroll
    for (int e = 0; e < kEach; ++e) {
      const int at = threadIdx.x + e * T::kThreads;
      if (at < kFours) *reinterpret_cast<float4*>(tile + 4 * at) = four[e];
    }
  }
};

// Four neighbouring elements of a row of c, of which the first `inside` exist.
template <bool kAligned>
__device__ void store_four(float* c, const float* sum, int inside, float alpha, float beta) {
  if (kAligned && inside > 0) {
    float4 four = {alpha * sum[0], alpha * sum[1], alpha * sum[2], alpha * sum[3]};
    if (beta != 0) {  // with 0 it is not read: 0 times NaN is NaN
      const float4 old = *reinterpret_cast<const float4*>(c);
      four.x += beta * old.x, four.y += beta * old.y;
      four.z += beta * old.z, four.w += beta * old.w;
    }
    *reinterpret_cast<float4*>(c) = four;
    return;
  }
#pragma unroll
  for (int s = 0; s < 4; ++s) {
    if (s < inside) c[s] = beta == 0 ? alpha * sum[s] : alpha * sum[s] + beta * c[s];
  }
}

// kAligned: n and k are multiples of four, so every row begins at a multiple of 16 bytes.
template <class T, bool kAligned>
__global__ void __launch_bounds__(T::kThreads, 512 / T::kThreads)
    gemm_fast_kernel(const GemmBatch g) {
  __shared__ __align__(16) float shared[2][T::kSharedFloats];
  constexpr int kB = T::kK * T::kPitchA;  // where the tile of b begins in a buffer
  const ThreadPlace place = thread_place<T>();
  const int first_row = blockIdx.y * T::kM, first_col = blockIdx.x * T::kN;
  const float* b = g.b + blockIdx.z * g.b_step;
  float* c = g.c + blockIdx.z * g.c_step;

  StagedRows<T, kAligned> next_a;
  StagedColumns<T, kAligned> next_b;
  next_a.load(g.a, first_row, g.m, 0, g.k);
  next_b.load(b, 0, g.k, first_col, g.n);
  next_a.store(shared[0]);
  next_b.store(shared[0] + kB);
  __syncthreads();  // the first tiles are complete

  float sum[T::kThreadM][T::kThreadN] = {};
  int buffer = 0;
  for (int first = 0; first < g.k; first += T::kK) {
    const bool more = first + T::kK < g.k;
    if (more) {  // ask for the next tiles, and multiply while they come
      next_a.load(g.a, first_row, g.m, first + T::kK, g.k);
      next_b.load(b, first + T::kK, g.k, first_col, g.n);
    }
    multiply_tiles<T>(sum, shared[buffer], shared[buffer] + kB, place);
    buffer ^= 1;
    if (more) {
      next_a.store(shared[buffer]);
      next_b.store(shared[buffer] + kB);
    }
    // One barrier for both: the next tiles are complete, and everyone is done with the present
    // ones, which are overwritten two turns later.
    __syncthreads();
  }

#pragma unroll
  for (int r = 0; r < T::kThreadM; ++r) {
    const int row = first_row + r / 4 * T::kStepM + 4 * place.y + r % 4;
    if (row >= g.m) continue;
#pragma unroll
    for (int s = 0; s < T::kThreadN; s += 4) {
      const int col = first_col + s / 4 * T::kStepN + 4 * place.x;
      store_four<kAligned>(c + int64_t(row) * g.n + col, &sum[r][s], g.n - col, g.alpha, g.beta);
    }
  }
}

template <class T>
int64_t blocks_of(const GemmBatch& g) {
  return ceil_div(g.m, T::kM) * ceil_div(g.n, T::kN) * g.count;
}

template <class T>
cudaError_t launch(const GemmBatch& g, cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>(ceil_div(g.n, T::kN)),
                  static_cast<unsigned>(ceil_div(g.m, T::kM)), g.count);
  if (g.n % 4 == 0 && g.k % 4 == 0) {
    gemm_fast_kernel<T, true><<<grid, T::kThreads, 0, stream>>>(g);
  } else {  // loads one by one need more registers: fewer of them at a time
    using Ragged = Tile<T::kM, T::kN, 8, T::kThreadM, T::kThreadN>;
    gemm_fast_kernel<Ragged, false><<<grid, T::kThreads, 0, stream>>>(g);
  }
  return cudaGetLastError();
}
// END SOLUTION

}  // namespace
// BEGIN SOLUTION(04.5)

cudaError_t launch_gemm(const GemmBatch& batch, cudaStream_t stream) {
  if (batch.m <= Flat::kM) return launch<Flat>(batch, stream);
  // A large tile loads least for each product. Small ones give every multiprocessor something to
  // do, and waste less where c has few rows.
  const bool large = batch.m > Small::kM && blocks_of<Large>(batch) >= kMultiprocessors;
  return large ? launch<Large>(batch, stream) : launch<Small>(batch, stream);
}
// END SOLUTION

cudaError_t gemm_fast(const float* d_a, const float* d_b, float* d_c, int m, int n, int k,
                      float alpha, float beta, cudaStream_t stream) {
  // BEGIN SOLUTION(04.5)
  //> // TODO(04.5): c = alpha a b + beta c, and c is not read where beta is 0. Begin with the
  //> // kernel of 04.4.
  //> CONVKIT_TODO("04.5");
  //> return cudaSuccess;
  return launch_gemm({d_a, d_b, d_c, m, n, k, alpha, beta}, stream);
  // END SOLUTION
}
