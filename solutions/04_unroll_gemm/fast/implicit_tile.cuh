// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// Implicit GEMM for many maps: the kernel of gemm_fast, with another way to load the tile of u.
#pragma once

#include "../gemm_tile.cuh"
#include "../multiprocessors.cuh"
#include "implicit_index.cuh"

namespace implicit {

// The tile of u in registers, between global and shared memory. A thread loads rows of one column,
// so that it finds the window once.
template <class T>
struct StagedWindows {
  static_assert(T::kThreads % T::kN == 0, "a thread keeps its column");
  static constexpr int kRowsAtATime = T::kThreads / T::kN;
  static constexpr int kEach = T::kK / kRowsAtATime;
  static_assert(kEach <= 32, "a bit for each");
  float value[kEach];
  unsigned seen = 0;  // a bit for each value: others are zero

  // In the padding, another element is loaded and ignored later: without branches, all loads are
  // issued before the first one arrives.
  __device__ void load(const float* x, const Window& window, const Tap* taps,
                       const Conv2dShape& s) {
    seen = 0;
#pragma unroll
    for (int e = 0; e < kEach; ++e) {
      const Tap tap = taps[threadIdx.x / T::kN + e * kRowsAtATime];
      const bool inside = window.sees(tap, s);
      seen |= static_cast<unsigned>(inside) << e;
      value[e] = __ldg(inside ? window.corner + tap.offset : x);
    }
  }
  __device__ void store(float* tile) const {
#pragma unroll
    for (int e = 0; e < kEach; ++e) {
      tile[threadIdx.x + e * T::kThreads] = seen >> e & 1 ? value[e] : 0.0f;
    }
  }
};

// kAlignedW: rows of w are multiples of four floats. kAlignedY: so are the maps of y.
template <class T, bool kAlignedW, bool kAlignedY>
__global__ void __launch_bounds__(T::kThreads, T::kThreads < 256 ? 3 : 2)
    implicit_tile_kernel(const Tensors d, const Conv2dShape s) {
  __shared__ __align__(16) float shared[2][T::kSharedFloats];
  __shared__ Tap taps[2][T::kK];
  constexpr int kB = T::kK * T::kPitchA;  // where the tile of u begins in a buffer
  const ThreadPlace place = thread_place<T>();
  const int t = threadIdx.x, k = matrix_rows(s), pixels = matrix_columns(s);
  const int first_map = blockIdx.y * T::kM;
  const int64_t first_col = int64_t(blockIdx.x) * T::kN;
  const Window window = window_of(d.x, first_col + t % T::kN, s);

  // The taps of a tile are needed when its load begins, one turn before it is multiplied: they are
  // made one turn earlier still, each by a thread that steps from tile to tile.
  static_assert(T::kK <= 32, "the first warp makes the taps");
  RowPlace place_of_tap = place_of(t % 32, s);
  const RowPlace step = place_of(T::kK, s);
  for (int tile = 0; tile < 2; ++tile, place_of_tap.advance(step, s)) {
    if (t < T::kK) taps[tile][t] = tap_at(place_of_tap, s);
  }
  __syncthreads();  // the first taps are there
  StagedRows<T, kAlignedW> next_w;
  StagedWindows<T> next_u;
  next_w.load(d.w, first_map, s.m, 0, k);
  next_u.load(d.x, window, taps[0], s);
  next_w.store(shared[0]);
  next_u.store(shared[0] + kB);
  __syncthreads();  // the first tiles are complete

  float sum[T::kThreadM][T::kThreadN] = {};
  int buffer = 0;
  for (int first = 0; first < k; first += T::kK) {
    const bool more = first + T::kK < k;
    if (more) {
      next_w.load(d.w, first_map, s.m, first + T::kK, k);
      next_u.load(d.x, window, taps[buffer ^ 1], s);
    }
    // Those of the present tile are no longer needed: the barrier before this turn ensures it.
    if (t < T::kK) taps[buffer][t] = tap_at(place_of_tap, s);
    place_of_tap.advance(step, s);
    multiply_tiles<T>(sum, shared[buffer], shared[buffer] + kB, place);
    buffer ^= 1;
    if (more) {
      next_w.store(shared[buffer]);
      next_u.store(shared[buffer] + kB);
    }
    __syncthreads();  // the next tiles and taps are complete, the present ones used
  }

#pragma unroll
  for (int square = 0; square < T::kThreadN / 4; ++square) {
    const int64_t column = first_col + square * T::kStepN + 4 * place.x;
#pragma unroll
    for (int lane = 0; lane < (kAlignedY ? 1 : 4); ++lane) {
      const OutputPlace at = output_of(column + lane, pixels);
      if (at.image >= s.n) continue;
      float* y = d.y + at.image * s.m * pixels + at.pixel;
#pragma unroll
      for (int r = 0; r < T::kThreadM; ++r) {
        const int map = first_map + r / 4 * T::kStepM + 4 * place.y + r % 4;
        if (map >= s.m) continue;
        const float bias = d.b[map], *four = &sum[r][4 * square];
        if (kAlignedY) {
          *reinterpret_cast<float4*>(y + int64_t(map) * pixels) = {four[0] + bias, four[1] + bias,
                                                                   four[2] + bias, four[3] + bias};
        } else {
          y[int64_t(map) * pixels] = four[lane] + bias;
        }
      }
    }
  }
}

template <class T>
int64_t blocks_of(int64_t columns, int maps) {
  return ceil_div(columns, T::kN) * ceil_div(maps, T::kM);
}

template <class T>
cudaError_t launch_tile_of(const Tensors& d, const Conv2dShape& s, cudaStream_t stream) {
  const int64_t columns = int64_t(s.n) * matrix_columns(s);
  const dim3 grid(static_cast<unsigned>(ceil_div(columns, T::kN)),
                  static_cast<unsigned>(ceil_div(s.m, T::kM)));
  const bool aligned_w = matrix_rows(s) % 4 == 0, aligned_y = matrix_columns(s) % 4 == 0;
  if (aligned_w && aligned_y) {
    implicit_tile_kernel<T, true, true><<<grid, T::kThreads, 0, stream>>>(d, s);
  } else {
    implicit_tile_kernel<T, false, false><<<grid, T::kThreads, 0, stream>>>(d, s);
  }
  return cudaGetLastError();
}

inline cudaError_t launch_tile(const Tensors& d, const Conv2dShape& s, cudaStream_t stream) {
  using Large = Tile<128, 128, 8, 8, 8>;
  using Middle = Tile<64, 128, 8, 8, 8>;
  using Small = Tile<64, 64, 16, 8, 4>;
  const int64_t columns = int64_t(s.n) * matrix_columns(s);
  // The largest tile that leaves enough blocks, and not too many of its rows without a map.
  if (s.m > Middle::kM && blocks_of<Large>(columns, s.m) >= 2 * kMultiprocessors) {
    return launch_tile_of<Large>(d, s, stream);
  }
  return blocks_of<Middle>(columns, s.m) >= kMultiprocessors ? launch_tile_of<Middle>(d, s, stream)
                                                             : launch_tile_of<Small>(d, s, stream);
}

}  // namespace implicit
