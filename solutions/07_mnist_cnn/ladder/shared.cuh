// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// Rung 3 of the convolution layer. Against maps.cuh, what all threads of a block multiply with
// comes through shared memory, 16 maps side by side: one load for four of them. Kernels up to 27
// x 27. What it gained: the table "The ladder" of the handout.
#pragma once

#include "../ladder/turned.cuh"

namespace {

constexpr int kThreads = 128, kMaps = 16;  // of a block; of a thread

// y [n][m][oh][ow] of x [n][c][h][w]; b may be null. Neighbouring threads take neighbouring places.
__global__ void __launch_bounds__(kThreads)
    shared_kernel(const float* __restrict__ x, const float* __restrict__ w,
                  const float* __restrict__ b, float* __restrict__ y, const Conv2dShape s) {
  extern __shared__ __align__(16) float weights[];  // [kh][kw][kMaps] of one channel
  const int oh = s.oh(), ow = s.ow(), plane = s.kh * s.kw;
  const int at = blockIdx.x * kThreads + threadIdx.x, first_map = blockIdx.y * kMaps;
  const bool has_place = at < s.n * oh * ow;  // other threads load, and wait at the barriers
  const int j = at % ow, i = at / ow % oh, n = at / ow / oh;
  float sum[kMaps] = {};
  for (int c = 0; c < s.c; ++c) {
    for (int t = threadIdx.x; t < plane * kMaps; t += kThreads) {
      const int tap = t % plane, m = first_map + t / plane;
      weights[tap * kMaps + t / plane] = m < s.m ? w[(m * s.c + c) * plane + tap] : 0.0f;
    }
    __syncthreads();  // the weights are there, before anyone multiplies
    for (int p = 0; p < s.kh; ++p) {
      for (int q = 0; q < s.kw; ++q) {
        const int row = i - s.pad_h + p, col = j - s.pad_w + q;
        if (!has_place || row < 0 || row >= s.h || col < 0 || col >= s.w) continue;
        const float value = x[((n * s.c + c) * s.h + row) * s.w + col];
        const float* weight = weights + (p * s.kw + q) * kMaps;
#pragma unroll
        for (int k = 0; k < kMaps; ++k) sum[k] += weight[k] * value;
      }
    }
    __syncthreads();  // used, before the next channel's replace them
  }
#pragma unroll
  for (int k = 0; k < kMaps; ++k) {
    const int m = first_map + k;
    if (!has_place || m >= s.m) return;
    y[((n * s.m + m) * oh + i) * ow + j] = b ? sum[k] + b[m] : sum[k];
  }
}

// A thread computes a tap of 16 filters over one part of the images; the last tap is the bias.
__global__ void __launch_bounds__(kThreads)
    wgrad_kernel(const float* __restrict__ x, const float* __restrict__ dy,
                 float* __restrict__ partial, const Conv2dShape s) {
  extern __shared__ __align__(16) float gradients[];  // [ow][kMaps] of one row
  const int tap = blockIdx.x * kThreads + threadIdx.x, taps = s.c * s.kh * s.kw;
  const int first_map = blockIdx.y * kMaps, oh = s.oh(), ow = s.ow();
  const int q = tap % s.kw, p = tap / s.kw % s.kh, c = tap / s.kw / s.kh;
  float sum[kMaps] = {};
  for (int n = blockIdx.z; n < s.n; n += gridDim.z) {
    for (int i = 0; i < oh; ++i) {
      for (int t = threadIdx.x; t < ow * kMaps; t += kThreads) {
        const int j = t % ow, m = first_map + t / ow;
        gradients[j * kMaps + t / ow] = m < s.m ? dy[((n * s.m + m) * oh + i) * ow + j] : 0.0f;
      }
      __syncthreads();  // the row is there, before anyone multiplies
      for (int j = 0; j < ow; ++j) {
        const int row = i - s.pad_h + p, col = j - s.pad_w + q;
        const bool inside = row >= 0 && row < s.h && col >= 0 && col < s.w;
        float value = tap == taps ? 1.0f : 0.0f;  // 1: of the bias
        if (tap < taps && inside) value = x[((n * s.c + c) * s.h + row) * s.w + col];
#pragma unroll
        for (int k = 0; k < kMaps; ++k) sum[k] += gradients[j * kMaps + k] * value;
      }
      __syncthreads();  // used, before the next row replaces it
    }
  }
#pragma unroll
  for (int k = 0; k < kMaps; ++k) {
    const int m = first_map + k;
    if (tap <= taps && m < s.m) partial[(blockIdx.z * s.m + m) * (taps + 1) + tap] = sum[k];
  }
}

cudaError_t convolve(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                     const Conv2dShape& s, cudaStream_t stream) {
  const dim3 grid(blocks_of(s.y_size() / s.m, kThreads), blocks_of(s.m, kMaps));
  const size_t bytes = sizeof(float) * kMaps * s.kh * s.kw;
  shared_kernel<<<grid, kThreads, bytes, stream>>>(d_x, d_w, d_b, d_y, s);
  return cudaGetLastError();
}

cudaError_t filter_parts(const float* d_x, const float* d_dy, float* d_partial,
                         const Conv2dShape& s, int parts, cudaStream_t stream) {
  const dim3 grid(blocks_of(s.c * s.kh * s.kw + 1, kThreads), blocks_of(s.m, kMaps), parts);
  const size_t bytes = sizeof(float) * kMaps * s.ow();
  wgrad_kernel<<<grid, kThreads, bytes, stream>>>(d_x, d_dy, d_partial, s);
  return cudaGetLastError();
}

}  // namespace
