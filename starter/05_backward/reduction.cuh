// SPDX-License-Identifier: MIT
// Sums over the threads of a block, in a fixed order: the same bits on every run.
#pragma once

#include <cuda_runtime.h>

// The sum of `value` over the block's `kCount` threads (a power of two), known to thread 0.
// `shared` has room for kCount floats. All threads of the block must call it.
template <int kCount>
__device__ float block_sum(float value, float* shared) {
  // TODO(05.2): a tree. In each step the lower half of the threads add what the upper half
  // holds, with a barrier between the steps.
  return 0.0f;
}
