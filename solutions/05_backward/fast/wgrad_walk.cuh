// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// dw for kernels of 3x3, 5x5 and 7x7 with stride and dilation 1. A thread keeps all taps of some
// filters and channels in registers and walks down a column of the output, row after row. What it
// loads in a row, kKernel elements of x and one of each map of dy, serves kKernel * kKernel
// products of each: a row of x meets the last kKernel rows of dy, which stay in registers, too.
#pragma once

#include "../second_level.cuh"
#include "wgrad_plan.cuh"

namespace walk {

// Where a thread walks, and which part of its tile exists.
struct Strip {
  const float* x;   // the first channel's element that tap (0, 0) of the first output reads
  const float* dy;  // the first map's first output
  int first_row, first_col;  // of x; below 0 in the padding
  int rows;                  // outputs
  int maps, channels;
};

// A row of x, as far as the taps reach.
template <int kChannels, int kKernel>
struct Row {
  float value[kChannels][kKernel];
};

// Steps down a strip, row by row. kPadded: whether windows reach beyond the image.
template <int kMaps, int kChannels, int kKernel, bool kPadded>
class Rows {
 public:
  __device__ Rows(const Strip& strip, const Conv2dShape& s, int oh, int ow)
      : row_(strip.first_row), outputs_left_(strip.rows), h_(s.h), w_(s.w), ow_(ow) {
#pragma unroll
    for (int c = 0; c < kChannels; ++c) {
      line_[c] = strip.x + int64_t(c < strip.channels ? c : 0) * s.h * s.w;
    }
#pragma unroll
    for (int m = 0; m < kMaps; ++m) {
      output_[m] = strip.dy + int64_t(m < strip.maps ? m : 0) * oh * ow;
    }
#pragma unroll
    for (int q = 0; q < kKernel; ++q) {
      const int col = strip.first_col + q;
      columns_inside_ |= unsigned(col >= 0 && col < s.w) << q;
    }
  }

  // The next row of x, zero in the padding. Without padding, the image's last row is read again
  // when no row is left: it meets only zeros of dy.
  __device__ Row<kChannels, kKernel> next_row() {
    Row<kChannels, kKernel> row;
    const unsigned inside = row_ >= 0 && row_ < h_ ? columns_inside_ : 0;
    const int step = kPadded || row_ + 1 < h_ ? w_ : 0;
#pragma unroll
    for (int c = 0; c < kChannels; ++c) {
#pragma unroll
      for (int q = 0; q < kKernel; ++q) {
        row.value[c][q] = !kPadded || (inside >> q & 1) != 0 ? line_[c][q] : 0.0f;
      }
      line_[c] += step;
    }
    ++row_;
    return row;
  }

  // The next element of dy for each map, zero below the strip's last output.
  template <int kSlots>
  __device__ void next_gradient(float (&gradient)[kMaps][kSlots], int slot) {
#pragma unroll
    for (int m = 0; m < kMaps; ++m) {
      gradient[m][slot] = outputs_left_ > 0 ? *output_[m] : 0.0f;
      output_[m] += ow_;
    }
    --outputs_left_;
  }

 private:
  int row_, outputs_left_, h_, w_, ow_;
  // Pointers that step from row to row: computing an address for each element costs more than its
  // products.
  const float *line_[kChannels], *output_[kMaps];
  unsigned columns_inside_ = 0;  // a bit for each q
};

// Adds one strip to the sums of all taps: `steps` rows of x, or a few more that meet only zeros.
template <int kMaps, int kChannels, int kKernel, bool kPadded>
__device__ void walk_down(float (&sum)[kMaps][kChannels][kKernel][kKernel],
                          Rows<kMaps, kChannels, kKernel, kPadded> rows, int steps) {
  // Row i of dy, counted from the strip's first one, lies in slot i % kKernel.
  float gradient[kMaps][kKernel] = {};
  auto next = rows.next_row();
  for (int step = 0; step < steps; step += kKernel) {  // unrolled: registers have no index
#pragma unroll
    for (int u = 0; u < kKernel; ++u) {
      rows.next_gradient(gradient, u);
      const auto row = next;
      next = rows.next_row();  // under way while this row's products are added
#pragma unroll
      for (int c = 0; c < kChannels; ++c) {
#pragma unroll
        for (int p = kKernel - 1; p >= 0; --p) {  // the element of dy that has just come, last
#pragma unroll
          for (int m = 0; m < kMaps; ++m) {
            // This row of x is tap p of the output p rows above.
            const float above = gradient[m][(u - p + kKernel) % kKernel];
#pragma unroll
            for (int q = 0; q < kKernel; ++q) sum[m][c][p][q] += above * row.value[c][q];
          }
        }
      }
    }
  }
}

// Block (tile, part): the taps of kMaps filters and kChannels channels, over a part of the columns.
template <int kMaps, int kChannels, int kKernel, bool kPadded>
__global__ void __launch_bounds__(kThreadsOfWalk, blocks_at_a_time(kKernel))
    wgrad_walk_kernel(const float* __restrict__ x, const float* __restrict__ dy,
                      float* __restrict__ partial, const Conv2dShape s, const Plan plan) {
  constexpr int kTaps = kMaps * kChannels * kKernel * kKernel;
  constexpr int kWarps = kThreadsOfWalk / second_level::kWarp;
  __shared__ float of_warp[kWarps][kTaps];
  const int first_map = blockIdx.x % plan.map_tiles * kMaps;
  const int first_channel = blockIdx.x / plan.map_tiles * kChannels;
  const int maps = min(kMaps, s.m - first_map), channels = min(kChannels, s.c - first_channel);
  const int oh = s.oh(), ow = s.ow();

  float sum[kMaps][kChannels][kKernel][kKernel] = {};
  const int columns = s.n * plan.strips * ow;
  for (int at = blockIdx.y * kThreadsOfWalk + threadIdx.x; at < columns;
       at += gridDim.y * kThreadsOfWalk) {
    const int j = at % ow, strip = at / ow % plan.strips;
    const int64_t n = at / ow / plan.strips;
    const int i = strip * plan.rows, row = i - s.pad_h, col = j - s.pad_w;
    const Strip here = {x + (n * s.c + first_channel) * s.h * s.w + int64_t(row) * s.w + col,
                        dy + ((n * s.m + first_map) * oh + i) * ow + j,
                        row,
                        col,
                        min(plan.rows, oh - i),
                        maps,
                        channels};
    using ThreadRows = Rows<kMaps, kChannels, kKernel, kPadded>;
    walk_down(sum, ThreadRows(here, s, oh, ow), plan.rows + kKernel - 1);
  }

  // The threads of a warp, then the warps: both in the same order on every run.
  const int lane = threadIdx.x % second_level::kWarp, warp = threadIdx.x / second_level::kWarp;
#pragma unroll
  for (int m = 0; m < kMaps; ++m) {
#pragma unroll
    for (int c = 0; c < kChannels; ++c) {
#pragma unroll
      for (int p = 0; p < kKernel; ++p) {
#pragma unroll
        for (int q = 0; q < kKernel; ++q) {
          const float total = second_level::warp_sum(sum[m][c][p][q]);
          if (lane == 0) of_warp[warp][((m * kChannels + c) * kKernel + p) * kKernel + q] = total;
        }
      }
    }
  }
  __syncthreads();  // the sums of all warps are there
  constexpr int kPlane = kKernel * kKernel;
  for (int tap = threadIdx.x; tap < kTaps; tap += kThreadsOfWalk) {
    const int m = tap / kPlane / kChannels, c = tap / kPlane % kChannels;
    if (m >= maps || c >= channels) continue;
    float total = 0.0f;
    for (int k = 0; k < kWarps; ++k) total += of_warp[k][tap];
    const int64_t to = (int64_t(first_map + m) * s.c + first_channel + c) * kPlane + tap % kPlane;
    partial[to * gridDim.y + blockIdx.y] = total;
  }
}

template <int kMaps, int kChannels, int kKernel>
cudaError_t launch(const float* d_x, const float* d_dy, float* partial, const Conv2dShape& s,
                   const Plan& plan, cudaStream_t stream) {
  const dim3 grid(plan.map_tiles * plan.channel_tiles, plan.parts);
  if (s.pad_h == 0 && s.pad_w == 0) {
    wgrad_walk_kernel<kMaps, kChannels, kKernel, false>
        <<<grid, kThreadsOfWalk, 0, stream>>>(d_x, d_dy, partial, s, plan);
  } else {
    wgrad_walk_kernel<kMaps, kChannels, kKernel, true>
        <<<grid, kThreadsOfWalk, 0, stream>>>(d_x, d_dy, partial, s, plan);
  }
  return cudaGetLastError();
}

// First level: partial [m][c][kh][kw][parts].
inline cudaError_t wgrad_parts(const float* d_x, const float* d_dy, float* partial,
                               const Conv2dShape& s, cudaStream_t stream) {
  const Plan plan = make_plan(s);
  if (s.kh == 7) return launch<2, 1, 7>(d_x, d_dy, partial, s, plan, stream);
  if (s.kh == 5) return launch<4, 1, 5>(d_x, d_dy, partial, s, plan, stream);
  return s.c == 1 ? launch<8, 1, 3>(d_x, d_dy, partial, s, plan, stream)
                  : launch<4, 2, 3>(d_x, d_dy, partial, s, plan, stream);
}

}  // namespace walk
