// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// conv2d_blocked, tuned: the last rung of ladder/ with a block that is chosen for each shape.
//
// A thread computes kRows neighbouring rows of one column, in kMaps maps. Neighbouring threads take
// neighbouring columns: their reads of shared memory use 32 different banks, and their stores fill
// whole lines. The parts:
//   which threads form a block, and how many channels it holds at a time     blocked_plan.cuh
//   input and filters into shared memory                                     shared_tile.cuh
//   the sums                                                                 register_tile.cuh
#pragma once

#include "blocked_plan.cuh"
#include "register_tile.cuh"
#include "shared_tile.cuh"

namespace blocked {

// kKernel: see unrolled_kernel().
template <int kMaps, int kRows, int kKernel>
__global__ void __launch_bounds__(kMostThreads, 2)
    conv2d_blocked_kernel(const float* __restrict__ x, const float* __restrict__ w,
                          const float* __restrict__ b, float* __restrict__ y, const Conv2dShape s,
                          const Plan plan) {
  extern __shared__ __align__(16) float shared[];  // aligned for reading four floats at once
  float* filters = shared;
  float* tile = shared + plan.filter_floats;

  // What this thread computes: a strip of kRows rows of a column, in kMaps maps.
  const int t = threadIdx.x;
  const int line = plan.by_columns.quotient(t), group = plan.by_strips.quotient(line);
  const int column = t - line * plan.columns, strip = line - group * plan.strips;
  const bool computes = group < plan.groups;  // the rest of the last warp does not

  const int oh = s.oh(), ow = s.ow(), n = blockIdx.z;
  const TileOrigin origin = tile_origin(blockIdx.x, ow, plan.strips * kRows, plan.columns);
  const int first_row = origin.i * s.stride_h - s.pad_h;
  const int first_col = origin.j * s.stride_w - s.pad_w;
  const int maps = plan.groups * kMaps, first_map = blockIdx.y * maps;
  const float* image = x + int64_t(n) * s.c * s.h * s.w;
  const float* window = tile + strip * kRows * s.stride_h * plan.tile_w + column * s.stride_w;

  float sum[kMaps][kRows] = {};
  for (int first = 0; first < s.c; first += plan.channels) {
    load_tile(tile, image, first, first_row, first_col, s, plan);
    load_filters(filters, w, first, first_map, maps, s, plan);
    __syncthreads();  // all is loaded before a thread computes
    const int channels = computes ? min(plan.channels, s.c - first) : 0;
    for (int c = 0; c < channels; ++c) {
      const float* here = window + c * plan.tile_h * plan.tile_w;
      const float* weights = filters + c * s.kh * s.kw * plan.filter_pitch + group * kMaps;
      if constexpr (kKernel > 0) {
        accumulate_unrolled<kKernel>(sum, here, plan.tile_w, weights, plan.filter_pitch);
      } else {
        accumulate_any(sum, here, plan.tile_w, weights, plan.filter_pitch, s);
      }
    }
    __syncthreads();  // all is used before the next channels replace it
  }

  const int j = origin.j + column, first_i = origin.i + strip * kRows;
  if (!computes || j >= ow) return;
#pragma unroll
  for (int k = 0; k < kMaps; ++k) {
    const int m = first_map + group * kMaps + k;
    if (m >= s.m) return;
    float* map = y + (int64_t(n) * s.m + m) * oh * ow;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      if (first_i + r < oh) map[(first_i + r) * ow + j] = sum[k][r] + b[m];
    }
  }
}

struct Tensors {
  const float *x, *w, *b;
  float* y;
};

template <int kMaps, int kRows, int kKernel>
cudaError_t launch(const Tensors& d, const Conv2dShape& s, const Plan& plan, cudaStream_t stream) {
  const size_t shared_bytes = sizeof(float) * plan.shared_floats;
  conv2d_blocked_kernel<kMaps, kRows, kKernel>
      <<<plan.grid, plan.threads, shared_bytes, stream>>>(d.x, d.w, d.b, d.y, s, plan);
  return cudaGetLastError();
}

template <int kMaps, int kRows>
cudaError_t launch(const Tensors& d, const Conv2dShape& s, const Plan& plan, cudaStream_t stream) {
  switch (unrolled_kernel(s)) {
    case 1:
      return launch<kMaps, kRows, 1>(d, s, plan, stream);
    case 3:
      return launch<kMaps, kRows, 3>(d, s, plan, stream);
    case 5:
      return launch<kMaps, kRows, 5>(d, s, plan, stream);
    case 7:
      return launch<kMaps, kRows, 7>(d, s, plan, stream);
    default:
      return launch<kMaps, kRows, 0>(d, s, plan, stream);
  }
}

// Any shape within the limits of tiled_conv.h.
inline cudaError_t launch(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                          const Conv2dShape& s, cudaStream_t stream) {
  const Tensors d = {d_x, d_w, d_b, d_y};
  // A large tile of registers loads least for each product, a small one leaves more threads.
  const Plan large = make_plan(s, {8, 7}), small = make_plan(s, {4, 8});
  return large.cost <= small.cost ? launch<8, 7>(d, s, large, stream)
                                  : launch<4, 8>(d, s, small, stream);
}

}  // namespace blocked
