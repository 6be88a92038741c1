// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// Rung 1 of conv2d_implicit. Against gemm_tiled, the second matrix is never stored: who loads an
// element of its tile computes where in x it lies. Columns are the outputs of all images together.
// What it gained: the table "The ladder" of the handout.
#pragma once

#include "../unroll_index.cuh"

namespace implicit {

struct Tensors {
  const float *x, *w, *b;
  float* y;
};

constexpr int kTileM = 16, kTileN = 32, kTileK = 32;  // maps, columns; products at a time

__global__ void __launch_bounds__(kTileM* kTileN)
    tiled_kernel(const Tensors d, const Conv2dShape s) {
  __shared__ float w_tile[kTileM][kTileK], u_tile[kTileK][kTileN];
  const int ty = threadIdx.y, tx = threadIdx.x;
  const int k = matrix_rows(s), pixels = matrix_columns(s);
  const int map = blockIdx.y * kTileM + ty;
  const int64_t column = int64_t(blockIdx.x) * kTileN + tx;
  const bool has_column = column < int64_t(s.n) * pixels;

  // The column of a thread is the window of one output; this is its corner.
  const int64_t image = has_column ? column / pixels : 0;
  const int pixel = static_cast<int>(column - image * pixels);
  const int top = pixel / s.ow() * s.stride_h - s.pad_h;
  const int left = pixel % s.ow() * s.stride_w - s.pad_w;

  float sum = 0;
  for (int first = 0; first < k; first += kTileK) {
    for (int at = tx; at < kTileK; at += kTileN) {
      const bool exists = map < s.m && first + at < k;
      w_tile[ty][at] = exists ? d.w[int64_t(map) * k + first + at] : 0.0f;
    }
    for (int at = ty; at < kTileK; at += kTileM) {
      const int row = first + at;  // of u: channel, row and column of a tap
      const int q = row % s.kw, p = row / s.kw % s.kh, ch = row / (s.kw * s.kh);
      const float* channel = d.x + (image * s.c + ch) * s.h * s.w;
      const bool exists = has_column && row < k;
      u_tile[at][tx] =
          exists ? padded(channel, s, top + p * s.dilation_h, left + q * s.dilation_w) : 0.0f;
    }
    __syncthreads();  // the tiles are complete before anyone computes with them
    for (int at = 0; at < kTileK; ++at) sum += w_tile[ty][at] * u_tile[at][tx];
    __syncthreads();  // everyone is done with them before the next ones replace them
  }
  if (has_column && map < s.m) d.y[(image * s.m + map) * pixels + pixel] = sum + d.b[map];
}

inline cudaError_t launch(const Tensors& d, const Conv2dShape& s, cudaStream_t stream) {
  const int64_t columns = int64_t(s.n) * matrix_columns(s);
  const dim3 grid(static_cast<unsigned>(ceil_div(columns, kTileN)),
                  static_cast<unsigned>(ceil_div(s.m, kTileM)));
  tiled_kernel<<<grid, dim3(kTileN, kTileM), 0, stream>>>(d, s);
  return cudaGetLastError();
}

}  // namespace implicit
