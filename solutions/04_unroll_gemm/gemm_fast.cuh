// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// What conv2d_gemm takes from gemm_fast.cu: the same product for several b and c at once.
#pragma once

#include "unroll_index.cuh"

// c = alpha a b + beta c for `count` pairs of b and c, each so many elements behind the last one;
// at most 65535 pairs, the limit of gridDim.z.
struct GemmBatch {
  const float *a, *b;
  float* c;
  int m, n, k;
  float alpha = 1, beta = 0;
  int count = 1;
  int64_t b_step = 0, c_step = 0;
};

cudaError_t launch_gemm(const GemmBatch& batch, cudaStream_t stream);
