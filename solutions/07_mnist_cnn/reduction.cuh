// SPDX-License-Identifier: MIT
// The sum over a block, as in stage 05: a tree, the same order on every run.
#pragma once

#include <cuda_runtime.h>

// The sum of `value` over the kThreads threads of the block, for all of them. `shared` has kThreads
// elements; it may be used again at once.
template <int kThreads>
__device__ float block_sum(float value, float* shared) {
  const int t = threadIdx.x;
  shared[t] = value;
  __syncthreads();  // all values are there
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (t < half) shared[t] += shared[t + half];
    __syncthreads();  // this level is complete, before the next one reads it
  }
  const float sum = shared[0];
  __syncthreads();  // all have read it, before anyone writes again
  return sum;
}
