// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// Rung 2 of the convolution layer. Against direct.cuh, a thread keeps 16 maps of its place in
// registers: an element of the image, once loaded, serves 16 products. dw is cut into parts.
// What it gained: the table "The ladder" of the handout.
#pragma once

#include "../ladder/turned.cuh"

namespace {

constexpr int kThreads = 128, kMaps = 16;  // of a block; of a thread

// y [n][m][oh][ow] of x [n][c][h][w]; b may be null. Neighbouring threads take neighbouring places,
// and all threads of a warp read the same weight.
__global__ void __launch_bounds__(kThreads)
    maps_kernel(const float* __restrict__ x, const float* __restrict__ w,
                const float* __restrict__ b, float* __restrict__ y, const Conv2dShape s) {
  const int oh = s.oh(), ow = s.ow(), taps = s.c * s.kh * s.kw;
  const int at = blockIdx.x * kThreads + threadIdx.x, first_map = blockIdx.y * kMaps;
  if (at >= s.n * oh * ow) return;
  const int j = at % ow, i = at / ow % oh, n = at / ow / oh;
  const int maps = s.m - first_map;  // of these the thread computes 16
  float sum[kMaps] = {};
  for (int c = 0; c < s.c; ++c) {
    for (int p = 0; p < s.kh; ++p) {
      for (int q = 0; q < s.kw; ++q) {
        const int row = i - s.pad_h + p, col = j - s.pad_w + q;
        if (row < 0 || row >= s.h || col < 0 || col >= s.w) continue;
        const float value = x[((n * s.c + c) * s.h + row) * s.w + col];
        const float* weight = w + first_map * taps + (c * s.kh + p) * s.kw + q;
#pragma unroll
        for (int k = 0; k < kMaps; ++k) sum[k] += k < maps ? weight[k * taps] * value : 0;
      }
    }
  }
#pragma unroll
  for (int k = 0; k < kMaps; ++k) {
    const int m = first_map + k;
    if (k < maps) y[((n * s.m + m) * oh + i) * ow + j] = b ? sum[k] + b[m] : sum[k];
  }
}

// A thread computes a tap of 16 filters over one part of the images; the last tap is the bias.
__global__ void __launch_bounds__(kThreads)
    wgrad_kernel(const float* __restrict__ x, const float* __restrict__ dy,
                 float* __restrict__ partial, const Conv2dShape s) {
  const int tap = blockIdx.x * kThreads + threadIdx.x, taps = s.c * s.kh * s.kw;
  const int first_map = blockIdx.y * kMaps, oh = s.oh(), ow = s.ow();
  if (tap > taps) return;
  const int q = tap % s.kw, p = tap / s.kw % s.kh, c = tap / s.kw / s.kh;
  const int maps = s.m - first_map;  // of these the thread computes 16
  float sum[kMaps] = {};
  for (int n = blockIdx.z; n < s.n; n += gridDim.z) {
    for (int i = 0; i < oh; ++i) {
      for (int j = 0; j < ow; ++j) {
        const int row = i - s.pad_h + p, col = j - s.pad_w + q;
        const bool inside = row >= 0 && row < s.h && col >= 0 && col < s.w;
        float value = tap == taps ? 1.0f : 0.0f;  // 1: of the bias
        if (tap < taps && inside) value = x[((n * s.c + c) * s.h + row) * s.w + col];
        const float* gradient = dy + ((n * s.m + first_map) * oh + i) * ow + j;
#pragma unroll
        for (int k = 0; k < kMaps; ++k) sum[k] += k < maps ? gradient[k * oh * ow] * value : 0;
      }
    }
  }
#pragma unroll
  for (int k = 0; k < kMaps; ++k) {
    if (k < maps) partial[(blockIdx.z * s.m + first_map + k) * (taps + 1) + tap] = sum[k];
  }
}

cudaError_t convolve(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                     const Conv2dShape& s, cudaStream_t stream) {
  const dim3 grid(blocks_of(s.y_size() / s.m, kThreads), blocks_of(s.m, kMaps));
  maps_kernel<<<grid, kThreads, 0, stream>>>(d_x, d_w, d_b, d_y, s);
  return cudaGetLastError();
}

cudaError_t filter_parts(const float* d_x, const float* d_dy, float* d_partial,
                         const Conv2dShape& s, int parts, cudaStream_t stream) {
  const dim3 grid(blocks_of(s.c * s.kh * s.kw + 1, kThreads), blocks_of(s.m, kMaps), parts);
  wgrad_kernel<<<grid, kThreads, 0, stream>>>(d_x, d_dy, d_partial, s);
  return cudaGetLastError();
}

}  // namespace
