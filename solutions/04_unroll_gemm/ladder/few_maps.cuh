// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// Another rung 3 of conv2d_implicit, for few maps. Against register_blocks.cuh, a thread computes
// 16 maps of one column: no other thread needs what it reads from x, so that goes straight to
// registers. What it gained: the table "The ladder" of the handout.
#pragma once

#include "../unroll_index.cuh"

namespace implicit {

struct Tensors {
  const float *x, *w, *b;
  float* y;
};

constexpr int kMaps = 16, kThreads = 128;  // of a thread; of a block
constexpr int kRows = 64;                  // of u, in shared memory at a time

// How far an element of u lies from the corner of its window.
struct Tap {
  int offset;        // in elements of x
  int down, across;  // in rows and columns, for the test against the border
};

inline __device__ Tap tap_of(int row, const Conv2dShape& s) {
  const int q = row % s.kw, p = row / s.kw % s.kh, ch = row / (s.kw * s.kh);
  const int down = p * s.dilation_h, across = q * s.dilation_w;
  return {(ch * s.h + down) * s.w + across, down, across};
}

__global__ void __launch_bounds__(kThreads) few_maps_kernel(const Tensors d, const Conv2dShape s) {
  __shared__ __align__(16) float weights[kRows][kMaps];  // all threads read the same: broadcast
  __shared__ Tap taps[kRows];
  const int t = threadIdx.x, k = matrix_rows(s), pixels = matrix_columns(s);
  const int first_map = blockIdx.y * kMaps;
  const int64_t column = int64_t(blockIdx.x) * kThreads + t;
  const bool has_column = column < int64_t(s.n) * pixels;

  // The column of a thread is the window of one output; this is its corner.
  const int64_t image = has_column ? column / pixels : 0;
  const int pixel = static_cast<int>(column - image * pixels);
  const int top = pixel / s.ow() * s.stride_h - s.pad_h;
  const int left = pixel % s.ow() * s.stride_w - s.pad_w;
  const float* corner = d.x + image * s.c * s.h * s.w + (top * s.w + left);

  float sum[kMaps] = {};
  for (int first = 0; first < k; first += kRows) {
    const int rows = min(kRows, k - first);
    for (int at = t; at < rows * kMaps; at += kThreads) {
      const int map = first_map + at % kMaps, row = at / kMaps;
      weights[row][at % kMaps] = map < s.m ? d.w[int64_t(map) * k + first + row] : 0.0f;
    }
    if (t < rows) taps[t] = tap_of(first + t, s);
    __syncthreads();  // weights and taps are complete before anyone computes with them
    for (int at = 0; at < rows; ++at) {
      const Tap tap = taps[at];
      const int row = top + tap.down, col = left + tap.across;
      const bool inside = has_column && row >= 0 && row < s.h && col >= 0 && col < s.w;
      const float value = inside ? corner[tap.offset] : 0.0f;
#pragma unroll
      for (int map = 0; map < kMaps; ++map) sum[map] += weights[at][map] * value;
    }
    __syncthreads();  // everyone is done with them before the next ones replace them
  }

  if (!has_column) return;
  float* y = d.y + image * s.m * pixels + pixel;  // map 0
#pragma unroll
  for (int map = 0; map < kMaps; ++map) {
    const int m = first_map + map;
    if (m < s.m) y[int64_t(m) * pixels] = sum[map] + d.b[m];
  }
}

inline cudaError_t launch(const Tensors& d, const Conv2dShape& s, cudaStream_t stream) {
  const int64_t columns = int64_t(s.n) * matrix_columns(s);
  const dim3 grid(static_cast<unsigned>(ceil_div(columns, kThreads)),
                  static_cast<unsigned>(ceil_div(s.m, kMaps)));
  few_maps_kernel<<<grid, kThreads, 0, stream>>>(d, s);
  return cudaGetLastError();
}

}  // namespace implicit
