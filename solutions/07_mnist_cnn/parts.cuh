// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// The second level of a sum that several blocks share: adds their partial sums in a fixed order.
#pragma once

#include "convkit/grid_stride_range.h"
#include "cuda_check.cuh"

namespace {

// partial [parts][rows][cols + 1] -> weights [rows][cols] and, from the last column, bias [rows].
__global__ void add_parts_kernel(const float* __restrict__ partial, float* __restrict__ weights,
                                 float* __restrict__ bias, int rows, int cols, int parts) {
  const int64_t size = int64_t(rows) * (cols + 1);
  for (const int64_t i : grid_stride_range(size)) {
    float sum = 0.0f;
    for (int part = 0; part < parts; ++part) sum += partial[part * size + i];
    const int64_t row = i / (cols + 1);
    const int col = static_cast<int>(i % (cols + 1));
    if (col < cols) {
      weights[row * cols + col] = sum;
    } else {
      bias[row] = sum;
    }
  }
}

inline cudaError_t add_parts(const float* d_partial, float* d_weights, float* d_bias, int rows,
                             int cols, int parts, cudaStream_t stream) {
  constexpr int kThreads = 128;
  add_parts_kernel<<<grid_stride_blocks(int64_t(rows) * (cols + 1), kThreads), kThreads, 0,
                     stream>>>(d_partial, d_weights, d_bias, rows, cols, parts);
  return cudaGetLastError();
}

}  // namespace
