// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// dx for kernels of 3x3, 5x5 and 7x7 with stride and dilation 1: the full correlation of dy with
// the filters turned by 180 degrees. A thread owns a patch of dx, up to 8 rows x 4 columns, in one
// channel or two; a block shares tiles of dy, as in stage 03. The weights of a map stay in
// registers while the thread goes through the rows of its window; each row, once loaded, serves all
// taps.
#pragma once

#include "xgrad_plan.cuh"

namespace patch {

// Tiles [maps][tile_h][tile_w] of dy, zero outside of it. A warp loads rows, so that columns need
// not be divided out, and several at a time: a load takes hundreds of cycles, and those of one
// batch are on their way together.
inline __device__ void load_tiles(float* tile, const float* dy, int maps, int first_row,
                                  int first_col, int oh, int ow, const Plan& plan) {
  constexpr int kBatch = 8;
  const int lane = threadIdx.x % kWarp, warps = blockDim.x / kWarp, rows = maps * plan.tile_h;
  for (int first = threadIdx.x / kWarp; first < rows; first += kBatch * warps) {
    for (int col = lane; col < plan.tile_w; col += kWarp) {
      const int j = first_col + col;
      float value[kBatch];
#pragma unroll
      for (int k = 0; k < kBatch; ++k) {
        const int row = first + k * warps, m = plan.by_tile_h.quotient(row);
        const int i = first_row + row - m * plan.tile_h;
        const bool inside = row < rows && i >= 0 && i < oh && j >= 0 && j < ow;
        value[k] = inside ? dy[(int64_t(m) * oh + i) * ow + j] : 0.0f;
      }
#pragma unroll
      for (int k = 0; k < kBatch; ++k) {
        const int row = first + k * warps;
        if (row < rows) tile[row * plan.tile_w + col] = value[k];
      }
    }
  }
}

// weights [maps][channels][taps, rounded up to a multiple of 4], turned by 180 degrees. Zero beyond
// the last tap and the last channel.
template <int kKernel>
__device__ void load_weights(float* weights, const float* w, int maps, int channels,
                             int first_channel, const Conv2dShape& s) {
  constexpr int kTaps = kKernel * kKernel, kPitch = round_up_to_4(kTaps);
  for (int at = threadIdx.x; at < maps * channels * kPitch; at += blockDim.x) {
    const int tap = at % kPitch, c = at / kPitch % channels, m = at / kPitch / channels;
    const bool exists = tap < kTaps && first_channel + c < s.c;
    const float* filter = w + (int64_t(m) * s.c + first_channel + c) * kTaps;
    weights[at] = exists ? filter[kTaps - 1 - tap] : 0.0f;
  }
}

// Adds one map's part to the sums. `window`: the tile's first element for this patch.
template <int kChannels, int kRows, int kKernel>
__device__ void add_map(float (&sum)[kChannels][kRows][kColumns], const float* window, int pitch,
                        const float* weights) {
  constexpr int kTaps = round_up_to_4(kKernel * kKernel), kWidth = window_width(kKernel);
  float weight[kChannels][kTaps];
#pragma unroll
  for (int c = 0; c < kChannels; ++c) {
#pragma unroll
    for (int k = 0; k < kTaps; k += 4) {  // the same address for all channels' threads: broadcast
      const float4 four = *reinterpret_cast<const float4*>(weights + c * kTaps + k);
      weight[c][k] = four.x, weight[c][k + 1] = four.y;
      weight[c][k + 2] = four.z, weight[c][k + 3] = four.w;
    }
  }
#pragma unroll
  for (int r = 0; r < kRows + kKernel - 1; ++r) {
    float value[kWidth];
#pragma unroll
    for (int k = 0; k < kWidth; k += 4) {
      const float4 four = *reinterpret_cast<const float4*>(window + r * pitch + k);
      value[k] = four.x, value[k + 1] = four.y, value[k + 2] = four.z, value[k + 3] = four.w;
    }
#pragma unroll
    for (int p = 0; p < kKernel; ++p) {
      if (r - p < 0 || r - p >= kRows) continue;  // known at compile time
#pragma unroll
      for (int c = 0; c < kChannels; ++c) {
#pragma unroll
        for (int q = 0; q < kKernel; ++q) {
#pragma unroll
          for (int j = 0; j < kColumns; ++j) {
            sum[c][r - p][j] += weight[c][p * kKernel + q] * value[j + q];
          }
        }
      }
    }
  }
}

template <int kChannels, int kRows, int kKernel>
__global__ void __launch_bounds__(kMostThreads, kBlocksAtATime)
    xgrad_patch_kernel(const float* __restrict__ dy, const float* __restrict__ w,
                       float* __restrict__ dx, const Conv2dShape s, const Plan plan,
                       bool accumulate) {
  constexpr int kTaps = round_up_to_4(kKernel * kKernel);
  extern __shared__ __align__(16) float shared[];
  float* weights = shared;
  const int channels = plan.groups * kChannels;  // of the block
  float* tile = shared + plan.maps * channels * kTaps;

  const int line = plan.by_across.quotient(threadIdx.x), group = plan.by_strips.quotient(line);
  const int across = threadIdx.x - line * plan.across, strip = line - group * plan.strips;
  const bool computes = group < plan.groups;  // the rest of the last warp does not
  const int tile_row = blockIdx.x / plan.tiles_across, tile_col = blockIdx.x % plan.tiles_across;
  const int first_row = tile_row * plan.strips * kRows;
  const int first_col = tile_col * plan.across * kColumns;
  const int first_channel = blockIdx.y * channels, n = blockIdx.z;
  const int oh = s.oh(), ow = s.ow();
  const float* window = tile + strip * kRows * plan.tile_w + across * kColumns;

  float sum[kChannels][kRows][kColumns] = {};
  for (int first = 0; first < s.m; first += plan.maps) {
    const int maps = min(plan.maps, s.m - first);
    load_tiles(tile, dy + (int64_t(n) * s.m + first) * oh * ow, maps,
               first_row + s.pad_h - (kKernel - 1), first_col + s.pad_w - (kKernel - 1), oh, ow,
               plan);
    load_weights<kKernel>(weights, w + int64_t(first) * s.c * kKernel * kKernel, maps, channels,
                          first_channel, s);
    __syncthreads();  // all is loaded before a thread computes
    for (int m = 0; computes && m < maps; ++m) {
      add_map<kChannels, kRows, kKernel>(sum, window + m * plan.tile_h * plan.tile_w, plan.tile_w,
                                         weights + (m * channels + group * kChannels) * kTaps);
    }
    __syncthreads();  // all is used before the next maps replace it
  }

  if (!computes) return;
  const int row = first_row + strip * kRows, col = first_col + across * kColumns;
#pragma unroll
  for (int c = 0; c < kChannels; ++c) {
    const int channel = first_channel + group * kChannels + c;
    if (channel >= s.c) return;
    float* plane = dx + (int64_t(n) * s.c + channel) * s.h * s.w;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
#pragma unroll
      for (int j = 0; j < kColumns; ++j) {
        if (row + r >= s.h || col + j >= s.w) continue;
        float& element = plane[int64_t(row + r) * s.w + col + j];
        element = accumulate ? element + sum[c][r][j] : sum[c][r][j];
      }
    }
  }
}

template <int kKernel, bool kLarge>
cudaError_t launch(const float* d_dy, const float* d_w, float* d_dx, const Conv2dShape& s,
                   const Plan& plan, bool accumulate, cudaStream_t stream) {
  static constexpr Patch kPatch = patch_of(kKernel, kLarge);
  const size_t shared_bytes = sizeof(float) * plan.shared_floats;
  xgrad_patch_kernel<kPatch.channels, kPatch.rows, kKernel>
      <<<plan.grid, plan.threads, shared_bytes, stream>>>(d_dy, d_w, d_dx, s, plan, accumulate);
  return cudaGetLastError();
}

template <int kKernel>
cudaError_t launch(const float* d_dy, const float* d_w, float* d_dx, const Conv2dShape& s,
                   bool accumulate, cudaStream_t stream) {
  const Plan plan = make_plan(s);
  return plan.large ? launch<kKernel, true>(d_dy, d_w, d_dx, s, plan, accumulate, stream)
                    : launch<kKernel, false>(d_dy, d_w, d_dx, s, plan, accumulate, stream);
}

inline cudaError_t xgrad(const float* d_dy, const float* d_w, float* d_dx, const Conv2dShape& s,
                         bool accumulate, cudaStream_t stream) {
  if (s.n == 0) return cudaSuccess;
  switch (s.kh) {
    case 3:
      return launch<3>(d_dy, d_w, d_dx, s, accumulate, stream);
    case 5:
      return launch<5>(d_dy, d_w, d_dx, s, accumulate, stream);
    default:
      return launch<7>(d_dy, d_w, d_dx, s, accumulate, stream);
  }
}

}  // namespace patch
