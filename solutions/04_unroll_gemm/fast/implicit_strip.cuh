// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// Implicit GEMM for few maps. A thread computes all maps of its columns (or 16 of them), so no
// other thread needs the elements of u that it loads: they go from x to registers, and only the
// weights and taps, which all threads need, are in shared memory.
#pragma once

#include "../multiprocessors.cuh"
#include "implicit_index.cuh"

namespace implicit {

constexpr int kStripThreads = 128;
constexpr int kStripRows = 64;  // of u, in shared memory at a time

// kColumns: of a thread, kStripThreads apart. kPadded: windows may reach beyond their image.
template <int kMaps, int kColumns, bool kPadded>
__global__ void __launch_bounds__(kStripThreads, 3)
    implicit_strip_kernel(const Tensors d, const Conv2dShape s) {
  __shared__ __align__(16) float weights[kStripRows][kMaps];
  __shared__ Tap taps[kStripRows];
  const int t = threadIdx.x, k = matrix_rows(s), pixels = matrix_columns(s);
  const int first_map = blockIdx.y * kMaps;
  const int64_t first_col = int64_t(blockIdx.x) * (kColumns * kStripThreads) + t;
  const int64_t last_col = int64_t(s.n) * pixels - 1;
  Window window[kColumns];
#pragma unroll
  for (int v = 0; v < kColumns; ++v) {
    // Without padding, every load is inside the image: threads beyond the end read the last column.
    const int64_t column = first_col + v * kStripThreads;
    window[v] = window_of(d.x, kPadded || column <= last_col ? column : last_col, s);
  }

  float sum[kMaps][kColumns] = {};
  for (int first = 0; first < k; first += kStripRows) {
    const int rows = min(kStripRows, k - first);
    __syncthreads();  // every thread is done with the last weights
    for (int at = t; at < rows * kMaps; at += kStripThreads) {
      const int row = at / kMaps, map = first_map + at % kMaps;
      weights[row][at % kMaps] = map < s.m ? d.w[int64_t(map) * k + first + row] : 0.0f;
    }
    if (t < rows) taps[t] = tap_at(place_of(first + t, s), s);
    __syncthreads();  // the new weights are complete
#pragma unroll 4
    for (int row = 0; row < rows; ++row) {
      const Tap tap = taps[row];
      float value[kColumns];
#pragma unroll
      for (int v = 0; v < kColumns; ++v) {
        const bool inside = !kPadded || window[v].sees(tap, s);
        value[v] = inside ? __ldg(window[v].corner + tap.offset) : 0.0f;
      }
#pragma unroll
      for (int map = 0; map < kMaps; map += 4) {
        const float4 w = *reinterpret_cast<const float4*>(&weights[row][map]);
#pragma unroll
        for (int v = 0; v < kColumns; ++v) {
          sum[map][v] += w.x * value[v], sum[map + 1][v] += w.y * value[v];
          sum[map + 2][v] += w.z * value[v], sum[map + 3][v] += w.w * value[v];
        }
      }
    }
  }

#pragma unroll
  for (int v = 0; v < kColumns; ++v) {
    const int64_t column = first_col + v * kStripThreads;
    if (column > last_col) continue;
    const OutputPlace at = output_of(column, pixels);
    float* y = d.y + (at.image * s.m + first_map) * pixels + at.pixel;
#pragma unroll
    for (int map = 0; map < kMaps; ++map) {
      if (first_map + map < s.m) y[int64_t(map) * pixels] = sum[map][v] + d.b[first_map + map];
    }
  }
}

template <int kMaps, int kColumns>
cudaError_t launch_strip_of(const Tensors& d, const Conv2dShape& s, cudaStream_t stream) {
  const int64_t columns = int64_t(s.n) * matrix_columns(s);
  const dim3 grid(static_cast<unsigned>(ceil_div(columns, kColumns * kStripThreads)),
                  static_cast<unsigned>(ceil_div(s.m, kMaps)));
  if (s.pad_h > 0 || s.pad_w > 0) {
    implicit_strip_kernel<kMaps, kColumns, true><<<grid, kStripThreads, 0, stream>>>(d, s);
  } else {
    implicit_strip_kernel<kMaps, kColumns, false><<<grid, kStripThreads, 0, stream>>>(d, s);
  }
  return cudaGetLastError();
}

inline cudaError_t launch_strip(const Tensors& d, const Conv2dShape& s, cudaStream_t stream) {
  // With several columns, a thread uses each weight several times; a small problem needs more
  // threads.
  constexpr int64_t kManyColumns = kMultiprocessors * 4 * 4 * kStripThreads;
  const bool many = int64_t(s.n) * matrix_columns(s) >= kManyColumns;
  if (s.m <= 4) {
    return many ? launch_strip_of<4, 4>(d, s, stream) : launch_strip_of<4, 1>(d, s, stream);
  }
  return many ? launch_strip_of<16, 4>(d, s, stream) : launch_strip_of<16, 1>(d, s, stream);
}

}  // namespace implicit
