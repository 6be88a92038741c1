// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// The tile of a block and of a thread, and the work of a thread on tiles in shared memory. Shared
// by gemm_fast and conv2d_implicit, which load their tiles in different ways.
#pragma once

#include "unroll_index.cuh"

// A block computes kM x kN sums over kK products at a time, a thread kThreadM x kThreadN of them.
// Both are made of squares of 4 x 4: all shared memory is read four floats at a time.
template <int kBlockM, int kBlockN, int kBlockK, int kOfThreadM, int kOfThreadN>
struct Tile {
  static constexpr int kM = kBlockM, kN = kBlockN, kK = kBlockK;
  static constexpr int kThreadM = kOfThreadM, kThreadN = kOfThreadN;
  static constexpr int kThreadsM = kM / kThreadM, kThreadsN = kN / kThreadN;
  static constexpr int kThreads = kThreadsM * kThreadsN;
  // The squares of a thread lie as far apart as all threads together reach.
  static constexpr int kStepM = 4 * kThreadsM, kStepN = 4 * kThreadsN;
  // Rows of the tile of a, which is stored turned. Four more, so that a warp that stores four
  // neighbouring products of several rows meets different banks, and a row begins at 16 bytes.
  static constexpr int kPitchA = kM + 4;
  static constexpr int kSharedFloats = kK * (kPitchA + kN);  // of one buffer

  static_assert(kThreadM % 4 == 0 && kThreadN % 4 == 0 && kK % 4 == 0, "read four at a time");
  static_assert(kM % kThreadM == 0 && kN % kThreadN == 0, "threads fill the tile");
  static_assert(kThreadsM % 4 == 0 && kThreadsN % 8 == 0, "a warp is 4 x 8 threads");
  static_assert(kThreads <= 1024, "a block has at most 1024 threads");
  static_assert(2 * kSharedFloats * 4 <= 48 * 1024, "two buffers in 48 KiB");
};

// Where a thread stands among those of its block. A warp is 4 x 8 threads: it reads 16 rows and 32
// columns of the tiles, the fewest words for so many products.
struct ThreadPlace {
  int y, x;
};
template <class T>
__device__ ThreadPlace thread_place() {
  const int t = threadIdx.x, warp = t / 32, lane = t % 32;
  constexpr int kWarpsN = T::kThreadsN / 8;
  return {warp / kWarpsN * 4 + lane / 8, warp % kWarpsN * 8 + lane % 8};
}

// Four neighbouring floats of which the first `inside` exist; the others are 0. kAligned: the
// address is a multiple of 16 bytes, and all four exist or none.
template <bool kAligned>
__device__ float4 load_four(const float* at, int inside) {
  if (kAligned) return inside > 0 ? *reinterpret_cast<const float4*>(at) : float4{};
  return {inside > 0 ? at[0] : 0.0f, inside > 1 ? at[1] : 0.0f, inside > 2 ? at[2] : 0.0f,
          inside > 3 ? at[3] : 0.0f};
}

template <int kCount>
__device__ void read_squares(float (&values)[kCount], const float* first, int step) {
#pragma unroll
  for (int square = 0; square < kCount / 4; ++square) {
    const float4 four = *reinterpret_cast<const float4*>(first + square * step);
    values[4 * square] = four.x, values[4 * square + 1] = four.y;
    values[4 * square + 2] = four.z, values[4 * square + 3] = four.w;
  }
}

// The products of one pair of tiles into the sums of a thread. a [kK][kPitchA], b [kK][kN].
template <class T>
__device__ void multiply_tiles(float (&sum)[T::kThreadM][T::kThreadN], const float* a,
                               const float* b, ThreadPlace place) {
#pragma unroll
  for (int p = 0; p < T::kK; ++p) {
    float column[T::kThreadM], row[T::kThreadN];
    read_squares(column, a + p * T::kPitchA + 4 * place.y, T::kStepM);
    read_squares(row, b + p * T::kN + 4 * place.x, T::kStepN);
#pragma unroll
    for (int r = 0; r < T::kThreadM; ++r) {
#pragma unroll
      for (int s = 0; s < T::kThreadN; ++s) sum[r][s] += column[r] * row[s];
    }
  }
}

// The tile of a: kM rows of kK products, between global memory and shared memory held in registers
// of the block's threads, four neighbouring products each.
template <class T, bool kAligned>
struct StagedRows {
  static constexpr int kInARow = T::kK / 4, kFours = T::kM * kInARow;
  static constexpr int kEach = (kFours + T::kThreads - 1) / T::kThreads;
  float4 four[kEach];

  // From the matrix a [rows][k]; the tile begins at (first_row, first).
  __device__ void load(const float* a, int first_row, int rows, int first, int k) {
#pragma unroll
    for (int e = 0; e < kEach; ++e) {
      const int at = threadIdx.x + e * T::kThreads;
      const int row = first_row + at / kInARow, p = first + at % kInARow * 4;
      const bool inside = at < kFours && row < rows;
      four[e] = load_four<kAligned>(a + int64_t(row) * k + p, inside ? k - p : 0);
    }
  }
  // Turned: tile [kK][kPitchA].
  __device__ void store(float* tile) const {
#pragma unroll
    for (int e = 0; e < kEach; ++e) {
      const int at = threadIdx.x + e * T::kThreads;
      if (at >= kFours) break;
      float* element = tile + at % kInARow * 4 * T::kPitchA + at / kInARow;
      element[0] = four[e].x, element[T::kPitchA] = four[e].y;
      element[2 * T::kPitchA] = four[e].z, element[3 * T::kPitchA] = four[e].w;
    }
  }
};
