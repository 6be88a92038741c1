// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// Rung 2 of conv2d_implicit. Against tiled.cuh, a thread computes 4 x 4 elements, as in
// gemm_blocked: 8 numbers from shared memory serve 16 products.
// What it gained: the table "The ladder" of the handout.
#pragma once

#include "../unroll_index.cuh"

namespace implicit {

struct Tensors {
  const float *x, *w, *b;
  float* y;
};

constexpr int kTileM = 64, kTileN = 64, kTileK = 16;  // maps, columns; products at a time
constexpr int kThreadM = 4, kThreadN = 4;             // elements of a thread
constexpr int kThreadsM = kTileM / kThreadM, kThreadsN = kTileN / kThreadN;
constexpr int kThreads = kThreadsM * kThreadsN;
static_assert(kThreads % kTileN == 0, "a thread always loads the same column of u");

__global__ void __launch_bounds__(kThreads)
    register_blocks_kernel(const Tensors d, const Conv2dShape s) {
  __shared__ float w_tile[kTileK][kTileM + 1], u_tile[kTileK][kTileN];
  const int t = threadIdx.x, ty = t / kThreadsN, tx = t % kThreadsN;
  const int k = matrix_rows(s), pixels = matrix_columns(s);
  const int first_map = blockIdx.y * kTileM;
  const int64_t first_column = int64_t(blockIdx.x) * kTileN, columns = int64_t(s.n) * pixels;

  // The column that this thread loads is the window of one output; this is its corner.
  const int64_t column = first_column + t % kTileN;
  const bool has_column = column < columns;
  const int64_t image = has_column ? column / pixels : 0;
  const int pixel = static_cast<int>(column - image * pixels);
  const int top = pixel / s.ow() * s.stride_h - s.pad_h;
  const int left = pixel % s.ow() * s.stride_w - s.pad_w;

  float sum[kThreadM][kThreadN] = {};
  for (int first = 0; first < k; first += kTileK) {
    for (int at = t; at < kTileM * kTileK; at += kThreads) {
      const int map = first_map + at / kTileK, row = first + at % kTileK;
      const bool exists = map < s.m && row < k;
      w_tile[at % kTileK][at / kTileK] = exists ? d.w[int64_t(map) * k + row] : 0.0f;
    }
    for (int at = t / kTileN; at < kTileK; at += kThreads / kTileN) {
      const int row = first + at;  // of u: channel, row and column of a tap
      const int q = row % s.kw, p = row / s.kw % s.kh, ch = row / (s.kw * s.kh);
      const float* channel = d.x + (image * s.c + ch) * s.h * s.w;
      const bool exists = has_column && row < k;
      u_tile[at][t % kTileN] =
          exists ? padded(channel, s, top + p * s.dilation_h, left + q * s.dilation_w) : 0.0f;
    }
    __syncthreads();  // the tiles are complete
#pragma unroll
    for (int at = 0; at < kTileK; ++at) {
      float weight[kThreadM], value[kThreadN];
#pragma unroll
      for (int r = 0; r < kThreadM; ++r) weight[r] = w_tile[at][ty + r * kThreadsM];
#pragma unroll
      for (int v = 0; v < kThreadN; ++v) value[v] = u_tile[at][tx + v * kThreadsN];
#pragma unroll
      for (int r = 0; r < kThreadM; ++r) {
#pragma unroll
        for (int v = 0; v < kThreadN; ++v) sum[r][v] += weight[r] * value[v];
      }
    }
    __syncthreads();  // everyone is done with them
  }

#pragma unroll
  for (int v = 0; v < kThreadN; ++v) {
    const int64_t at = first_column + tx + v * kThreadsN;
    if (at >= columns) continue;
    float* y = d.y + at / pixels * s.m * pixels + at % pixels;  // its image, map 0
#pragma unroll
    for (int r = 0; r < kThreadM; ++r) {
      const int map = first_map + ty + r * kThreadsM;
      if (map < s.m) y[int64_t(map) * pixels] = sum[r][v] + d.b[map];
    }
  }
}

inline cudaError_t launch(const Tensors& d, const Conv2dShape& s, cudaStream_t stream) {
  const int64_t columns = int64_t(s.n) * matrix_columns(s);
  const dim3 grid(static_cast<unsigned>(ceil_div(columns, kTileN)),
                  static_cast<unsigned>(ceil_div(s.m, kTileM)));
  register_blocks_kernel<<<grid, kThreads, 0, stream>>>(d, s);
  return cudaGetLastError();
}

}  // namespace implicit
