// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// Rung 1 of conv2d_wgrad_gemm. Against conv2d_wgrad, a thread sums all taps of a filter's channel
// in registers: an element of dy, once loaded, serves kKernel * kKernel products. What it gained:
// the table "The ladder" of the handout.
#pragma once

#include "../second_level.cuh"
#include "../taps.cuh"

namespace walk {

constexpr int kThreadsOfTaps = 128, kWarps = kThreadsOfTaps / second_level::kWarp;

// Other shapes go the way of fast/gemm_products.cuh.
inline bool supports(const Conv2dShape& s) {
  const bool plain =
      s.kh == s.kw && s.stride_h == 1 && s.stride_w == 1 && s.dilation_h == 1 && s.dilation_w == 1;
  return plain && (s.kh == 3 || s.kh == 5 || s.kh == 7);
}

// Blocks that share a sum, from the shape alone: otherwise another GPU would give other bits.
inline int parts_of(const Conv2dShape& s) {
  constexpr int64_t kFewestTerms = 16 * kThreadsOfTaps, kMostParts = 256, kMostFloats = 1 << 22;
  const int64_t by_terms = int64_t(s.n) * s.oh() * s.ow() / kFewestTerms;
  const int64_t by_memory = kMostFloats / s.w_size();
  const int64_t parts = by_terms < by_memory ? by_terms : by_memory;
  return static_cast<int>(parts < 1 ? 1 : parts < kMostParts ? parts : kMostParts);
}

// Block (filter's channel, part): all taps, over a part of the images and outputs.
template <int kKernel>
__global__ void __launch_bounds__(kThreadsOfTaps)
    wgrad_taps_kernel(const float* __restrict__ x, const float* __restrict__ dy,
                      float* __restrict__ partial, const Conv2dShape s) {
  constexpr int kTaps = kKernel * kKernel;
  __shared__ float of_warp[kWarps][kTaps];
  const int t = threadIdx.x, c = blockIdx.x % s.c, m = blockIdx.x / s.c;
  const int part = blockIdx.y, parts = gridDim.y, oh = s.oh(), ow = s.ow();

  float sum[kKernel][kKernel] = {};
  const int64_t outputs = int64_t(s.n) * oh * ow;
  for (int64_t at = int64_t(part) * kThreadsOfTaps + t; at < outputs;
       at += int64_t(parts) * kThreadsOfTaps) {
    const int j = at % ow, i = at / ow % oh;
    const int64_t n = at / ow / oh;
    const float gradient = dy[place(n, m, s.m, i, oh, j, ow)];
#pragma unroll
    for (int p = 0; p < kKernel; ++p) {
#pragma unroll
      for (int q = 0; q < kKernel; ++q) {
        const int row = i - s.pad_h + p, col = j - s.pad_w + q;
        const bool inside = row >= 0 && row < s.h && col >= 0 && col < s.w;
        sum[p][q] += inside ? gradient * x[place(n, c, s.c, row, s.h, col, s.w)] : 0.0f;
      }
    }
  }

  // The threads of a warp, then the warps: both in the same order on every run.
#pragma unroll
  for (int tap = 0; tap < kTaps; ++tap) {
    const float total = second_level::warp_sum(sum[tap / kKernel][tap % kKernel]);
    if (t % second_level::kWarp == 0) of_warp[t / second_level::kWarp][tap] = total;
  }
  __syncthreads();  // the sums of all warps are there
  if (t >= kTaps) return;
  float total = 0.0f;
  for (int k = 0; k < kWarps; ++k) total += of_warp[k][t];
  partial[(int64_t(blockIdx.x) * kTaps + t) * parts + part] = total;
}

// First level: partial [m][c][kh][kw][parts].
inline cudaError_t wgrad_parts(const float* d_x, const float* d_dy, float* partial,
                               const Conv2dShape& s, cudaStream_t stream) {
  const dim3 grid(s.m * s.c, parts_of(s));
  const auto kernel = s.kh == 3   ? wgrad_taps_kernel<3>
                      : s.kh == 5 ? wgrad_taps_kernel<5>
                                  : wgrad_taps_kernel<7>;
  kernel<<<grid, kThreadsOfTaps, 0, stream>>>(d_x, d_dy, partial, s);
  return cudaGetLastError();
}

}  // namespace walk
