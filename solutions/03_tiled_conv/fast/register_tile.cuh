// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// The innermost computation: one channel into the sums of a thread, kRows rows of one column in
// kMaps maps. They stay in registers, and so does a column of the input.
#pragma once

#include "blocked_plan.cuh"

namespace blocked {

// The weights of one tap for neighbouring maps. All threads of a warp read the same address: it is
// sent to them at once.
template <int kMaps>
__device__ void load_weights(float (&weight)[kMaps], const float* filters) {
#pragma unroll
  for (int m = 0; m < kMaps; m += 4) {
    const float4 four = *reinterpret_cast<const float4*>(filters + m);
    weight[m] = four.x, weight[m + 1] = four.y, weight[m + 2] = four.z, weight[m + 3] = four.w;
  }
}

// A kernel of kKernel x kKernel with stride and dilation 1. The windows of neighbouring rows
// overlap: kRows + kKernel - 1 loads of one column serve kRows * kKernel products of each map.
template <int kKernel, int kMaps, int kRows>
__device__ void accumulate_unrolled(float (&sum)[kMaps][kRows], const float* window, int pitch,
                                    const float* filters, int filter_pitch) {
  // A large kernel, unrolled over both axes, would not fit into the instruction cache.
  [[maybe_unused]] constexpr int kUnrolled = kKernel <= 3 ? kKernel : 1;
#pragma unroll kUnrolled
  for (int q = 0; q < kKernel; ++q) {
    float column[kRows + kKernel - 1];
#pragma unroll
    for (int r = 0; r < kRows + kKernel - 1; ++r) column[r] = window[r * pitch + q];
#pragma unroll
    for (int p = 0; p < kKernel; ++p) {
      float weight[kMaps];
      load_weights(weight, filters + (p * kKernel + q) * filter_pitch);
#pragma unroll
      for (int m = 0; m < kMaps; ++m) {
#pragma unroll
        for (int r = 0; r < kRows; ++r) sum[m][r] += weight[m] * column[r + p];
      }
    }
  }
}

// Any kernel, stride and dilation.
template <int kMaps, int kRows>
__device__ void accumulate_any(float (&sum)[kMaps][kRows], const float* window, int pitch,
                               const float* filters, int filter_pitch, const Conv2dShape& s) {
  for (int p = 0; p < s.kh; ++p) {
    for (int q = 0; q < s.kw; ++q) {
      float weight[kMaps];
      load_weights(weight, filters + (p * s.kw + q) * filter_pitch);
      const float* tap = window + p * s.dilation_h * pitch + q * s.dilation_w;
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        const float value = tap[r * s.stride_h * pitch];
#pragma unroll
        for (int m = 0; m < kMaps; ++m) sum[m][r] += weight[m] * value;
      }
    }
  }
}

}  // namespace blocked
