// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// The second level of every reduction of dw: partial sums [tap][part] to dw [tap]. A warp adds the
// parts of a tap, in an order that depends on nothing but their number.
#pragma once

#include "taps.cuh"

namespace second_level {

constexpr int kWarp = 32, kWarps = 8;  // of a block
constexpr unsigned kAllLanes = 0xffffffffu;

// The sum over a warp, known to lane 0.
inline __device__ float warp_sum(float value) {
  for (int half = kWarp / 2; half > 0; half /= 2) {
    value += __shfl_down_sync(kAllLanes, value, half);
  }
  return value;
}

static __global__ void total_kernel(const float* __restrict__ partial, float* __restrict__ dw,
                                    int64_t taps, int parts, bool accumulate) {
  const int lane = threadIdx.x % kWarp;
  const int64_t tap = int64_t(blockIdx.x) * kWarps + threadIdx.x / kWarp;
  if (tap >= taps) return;  // a whole warp
  float sum = 0.0f;
  for (int part = lane; part < parts; part += kWarp) sum += partial[tap * parts + part];
  sum = warp_sum(sum);
  if (lane == 0) dw[tap] = accumulate ? dw[tap] + sum : sum;
}

inline cudaError_t add_parts(const float* partial, float* d_dw, int64_t taps, int parts,
                             bool accumulate, cudaStream_t stream) {
  const unsigned blocks = static_cast<unsigned>((taps + kWarps - 1) / kWarps);
  total_kernel<<<blocks, kWarps * kWarp, 0, stream>>>(partial, d_dw, taps, parts, accumulate);
  return cudaGetLastError();
}

}  // namespace second_level
