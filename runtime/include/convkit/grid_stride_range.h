// SPDX-License-Identifier: MIT
// The grid-stride loop as a range: in a kernel of any grid,
//
//   for (const int64_t i : grid_stride_range(count)) y[i] = f(x[i]);
//
// gives every i below count to exactly one thread, neighbouring ones to neighbouring threads. The
// loop does not depend on the size of the grid, so a launch may have as many blocks as suits the
// GPU, and count may exceed any limit of a grid.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

class GridStrideRange {
 public:
  class Iterator {
   public:
    __device__ Iterator(int64_t at, int64_t step) : at_(at), step_(step) {}
    __device__ int64_t operator*() const { return at_; }
    __device__ Iterator& operator++() {
      at_ += step_;
      return *this;
    }
    // Only ever compared with end(): threads step over the end, and none of them meets it.
    __device__ bool operator!=(const Iterator& end) const { return at_ < end.at_; }

   private:
    int64_t at_, step_;
  };

  __device__ GridStrideRange(int64_t first, int64_t count, int64_t step)
      : first_(first), count_(count), step_(step) {}
  __device__ Iterator begin() const { return {first_, step_}; }
  __device__ Iterator end() const { return {count_, step_}; }

 private:
  int64_t first_, count_, step_;
};

// 0, 1, ..., count - 1 shared out among all threads of a one-dimensional grid.
__device__ inline GridStrideRange grid_stride_range(int64_t count) {
  return {int64_t(blockIdx.x) * blockDim.x + threadIdx.x, count, int64_t(gridDim.x) * blockDim.x};
}

// Blocks of `threads` for a launch over `count` elements: enough to fill a large GPU, not more; at
// least one, as a grid of none is an error.
inline unsigned grid_stride_blocks(int64_t count, int threads) {
  constexpr int64_t kMostBlocks = 2048;
  const int64_t blocks = (count + threads - 1) / threads;
  return static_cast<unsigned>(blocks < 1 ? 1 : blocks < kMostBlocks ? blocks : kMostBlocks);
}
