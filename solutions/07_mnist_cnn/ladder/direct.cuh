// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// Rung 1 of the convolution layer: the loops themselves, as in stages 02 and 05. A thread computes
// an element of y or of dx, a block one of dw or db.
// What it costs: the table "The ladder" of the handout.
#pragma once

#include "../layer.cuh"
#include "../reduction.cuh"
#include "convkit/conv2d_shape.h"
#include "convkit/grid_stride_range.h"

namespace {

constexpr int kThreads = 128;

// y[n][m][i][j] = b[m] + sum over c, p, q of x[n][c][i - pad + p][j - pad + q] w[m][c][p][q]
__global__ void forward_kernel(const float* __restrict__ x, const float* __restrict__ w,
                               const float* __restrict__ b, float* __restrict__ y,
                               const Conv2dShape s) {
  const int oh = s.oh(), ow = s.ow();
  for (const int64_t at : grid_stride_range(s.y_size())) {
    const int j = at % ow, i = at / ow % oh, m = at / ow / oh % s.m, n = at / ow / oh / s.m;
    float sum = b[m];
    for (int c = 0; c < s.c; ++c) {
      for (int p = 0; p < s.kh; ++p) {
        for (int q = 0; q < s.kw; ++q) {
          const int row = i - s.pad_h + p, col = j - s.pad_w + q;
          if (row < 0 || row >= s.h || col < 0 || col >= s.w) continue;
          sum +=
              x[((n * s.c + c) * s.h + row) * s.w + col] * w[((m * s.c + c) * s.kh + p) * s.kw + q];
        }
      }
    }
    y[at] = sum;
  }
}

// dx[n][c][row][col]: the sum over the outputs that read it, each through another tap.
__global__ void xgrad_kernel(const float* __restrict__ dy, const float* __restrict__ w,
                             float* __restrict__ dx, const Conv2dShape s) {
  const int oh = s.oh(), ow = s.ow();
  for (const int64_t at : grid_stride_range(s.x_size())) {
    const int col = at % s.w, row = at / s.w % s.h, c = at / s.w / s.h % s.c;
    const int n = at / s.w / s.h / s.c;
    float sum = 0.0f;
    for (int m = 0; m < s.m; ++m) {
      for (int p = 0; p < s.kh; ++p) {
        for (int q = 0; q < s.kw; ++q) {
          const int i = row + s.pad_h - p, j = col + s.pad_w - q;
          if (i < 0 || i >= oh || j < 0 || j >= ow) continue;
          sum += dy[((n * s.m + m) * oh + i) * ow + j] * w[((m * s.c + c) * s.kh + p) * s.kw + q];
        }
      }
    }
    dx[at] = sum;
  }
}

// dw[m][c][p][q] and, in the last block of a map, db[m]: sums over all images and outputs.
__global__ void wgrad_kernel(const float* __restrict__ x, const float* __restrict__ dy,
                             float* __restrict__ dw, float* __restrict__ db, const Conv2dShape s) {
  __shared__ float shared[kThreads];
  const int tap = blockIdx.x, taps = s.c * s.kh * s.kw, m = blockIdx.y;
  const int q = tap % s.kw, p = tap / s.kw % s.kh, c = tap / s.kw / s.kh;
  const int oh = s.oh(), ow = s.ow();
  float sum = 0.0f;
  for (int at = threadIdx.x; at < s.n * oh * ow; at += kThreads) {
    const int j = at % ow, i = at / ow % oh, n = at / ow / oh;
    const int row = i - s.pad_h + p, col = j - s.pad_w + q;
    const bool inside = row >= 0 && row < s.h && col >= 0 && col < s.w;
    float factor = 1.0f;  // of the bias
    if (tap < taps) factor = inside ? x[((n * s.c + c) * s.h + row) * s.w + col] : 0.0f;
    sum += factor * dy[((n * s.m + m) * oh + i) * ow + j];
  }
  sum = block_sum<kThreads>(sum, shared);
  if (threadIdx.x == 0) (tap < taps ? dw[m * taps + tap] : db[m]) = sum;
}

class ConvProducts {
 public:
  ConvProducts(const LayerSpec& spec, int)
      : shape_{1,       spec.in.c, spec.in.h, spec.in.w, spec.out.c,
               spec.kh, spec.kw,   spec.pad,  spec.pad} {}

  cudaError_t forward(const float* d_x, const float* d_w, const float* d_b, float* d_y, int n,
                      cudaStream_t stream) {
    shape_.n = n;
    const int blocks = grid_stride_blocks(shape_.y_size(), kThreads);
    forward_kernel<<<blocks, kThreads, 0, stream>>>(d_x, d_w, d_b, d_y, shape_);
    return cudaGetLastError();
  }
  cudaError_t xgrad(const float* d_dy, const float* d_w, float* d_dx, int n, cudaStream_t stream) {
    shape_.n = n;
    const int blocks = grid_stride_blocks(shape_.x_size(), kThreads);
    xgrad_kernel<<<blocks, kThreads, 0, stream>>>(d_dy, d_w, d_dx, shape_);
    return cudaGetLastError();
  }
  cudaError_t wgrad(const float* d_x, const float* d_dy, float* d_dw, float* d_db, int n,
                    cudaStream_t stream) {
    shape_.n = n;
    const dim3 grid(shape_.c * shape_.kh * shape_.kw + 1, shape_.m);
    wgrad_kernel<<<grid, kThreads, 0, stream>>>(d_x, d_dy, d_dw, d_db, shape_);
    return cudaGetLastError();
  }

 private:
  Conv2dShape shape_;
};

}  // namespace
