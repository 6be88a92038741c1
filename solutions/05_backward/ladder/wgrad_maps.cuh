// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// Rung 3 of conv2d_wgrad_gemm. Against wgrad_rows.cuh, a thread sums the taps of several filters: a
// row of x, once loaded, serves all of them.
// What it gained: the table "The ladder" of the handout.
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
  constexpr int64_t kMostParts = 256, kMostFloats = 1 << 22;
  const int64_t by_columns = int64_t(s.n) * s.ow() / kThreadsOfTaps;
  const int64_t by_memory = kMostFloats / s.w_size();
  const int64_t parts = by_columns < by_memory ? by_columns : by_memory;
  return static_cast<int>(parts < 1 ? 1 : parts < kMostParts ? parts : kMostParts);
}

// Filters of a thread: their sums fill the registers.
constexpr CONVKIT_HOST_DEVICE int maps_of(int kernel) {
  return kernel == 7 ? 2 : 4;
}

// Block (filters' channel, part): all taps, over a part of the columns of all images.
template <int kKernel>
__global__ void __launch_bounds__(kThreadsOfTaps)
    wgrad_maps_kernel(const float* __restrict__ x, const float* __restrict__ dy,
                      float* __restrict__ partial, const Conv2dShape s) {
  constexpr int kTaps = kKernel * kKernel;
  constexpr int kMaps = maps_of(kKernel);
  __shared__ float of_warp[kWarps][kMaps * kTaps];
  const int t = threadIdx.x, c = blockIdx.x % s.c, first_map = blockIdx.x / s.c * kMaps;
  const int part = blockIdx.y, parts = gridDim.y, oh = s.oh(), ow = s.ow();

  float sum[kMaps][kKernel][kKernel] = {};
  const int64_t columns = int64_t(s.n) * ow;
  for (int64_t at = int64_t(part) * kThreadsOfTaps + t; at < columns;
       at += int64_t(parts) * kThreadsOfTaps) {
    const int j = at % ow;
    const int64_t n = at / ow;
    float gradient[kMaps][kKernel] = {};  // of output rows i, i - 1, ...
    for (int i = 0; i < oh + kKernel - 1; ++i) {
#pragma unroll
      for (int k = 0; k < kMaps; ++k) {
        const int m = first_map + k;
#pragma unroll
        for (int p = kKernel - 1; p > 0; --p) gradient[k][p] = gradient[k][p - 1];
        gradient[k][0] = i < oh && m < s.m ? dy[place(n, m, s.m, i, oh, j, ow)] : 0.0f;
      }
      const int row = i - s.pad_h;  // tap p of the output p rows above
#pragma unroll
      for (int q = 0; q < kKernel; ++q) {
        const int col = j - s.pad_w + q;
        const bool inside = row >= 0 && row < s.h && col >= 0 && col < s.w;
        const float value = inside ? x[place(n, c, s.c, row, s.h, col, s.w)] : 0.0f;
#pragma unroll
        for (int k = 0; k < kMaps; ++k) {
#pragma unroll
          for (int p = 0; p < kKernel; ++p) sum[k][p][q] += gradient[k][p] * value;
        }
      }
    }
  }

  // The threads of a warp, then the warps: both in the same order on every run.
#pragma unroll
  for (int at = 0; at < kMaps * kTaps; ++at) {
    const int k = at / kTaps, p = at % kTaps / kKernel, q = at % kTaps % kKernel;
    const float total = second_level::warp_sum(sum[k][p][q]);
    if (t % second_level::kWarp == 0) of_warp[t / second_level::kWarp][at] = total;
  }
  __syncthreads();  // the sums of all warps are there
  const int m = first_map + t / kTaps;
  if (t >= kMaps * kTaps || m >= s.m) return;
  float total = 0.0f;
  for (int k = 0; k < kWarps; ++k) total += of_warp[k][t];
  partial[((int64_t(m) * s.c + c) * kTaps + t % kTaps) * parts + part] = total;
}

// First level: partial [m][c][kh][kw][parts].
inline cudaError_t wgrad_parts(const float* d_x, const float* d_dy, float* partial,
                               const Conv2dShape& s, cudaStream_t stream) {
  const int maps = maps_of(s.kh);
  const dim3 grid((s.m + maps - 1) / maps * s.c, parts_of(s));
  const auto kernel = s.kh == 3   ? wgrad_maps_kernel<3>
                      : s.kh == 5 ? wgrad_maps_kernel<5>
                                  : wgrad_maps_kernel<7>;
  kernel<<<grid, kThreadsOfTaps, 0, stream>>>(d_x, d_dy, partial, s);
  return cudaGetLastError();
}

}  // namespace walk
