// SPDX-License-Identifier: MIT
// Task 05.3: dE/db. The bias of a map is added to all its outputs, so its gradient is their sum.
#include "arguments.cuh"
#include "reduction.cuh"
#include "taps.cuh"

namespace {

// BEGIN SOLUTION(05.3)
//> // TODO(05.3): the kernel goes here: a block for each map. Its threads add the elements of all
//> // images; then block_sum() in reduction.cuh adds the threads' sums in a tree.
__global__ void bgrad_kernel(const float* __restrict__ dy, float* __restrict__ db,
                             const Conv2dShape s, bool accumulate) {
  __shared__ float shared[kThreads];
  const int m = blockIdx.x;
  const int64_t plane = int64_t(s.oh()) * s.ow();
  float sum = 0.0f;
  for (int64_t at = threadIdx.x; at < s.n * plane; at += kThreads) {
    const int64_t n = at / plane;
    sum += dy[(n * s.m + m) * plane + at % plane];
  }
  sum = block_sum<kThreads>(sum, shared);
  if (threadIdx.x == 0) db[m] = accumulate ? db[m] + sum : sum;
}
// END SOLUTION

}  // namespace

cudaError_t conv2d_bgrad(const float* d_dy, float* d_db, const Conv2dShape* shape, int accumulate,
                         cudaStream_t stream) {
  // BEGIN SOLUTION(05.3)
  //> // TODO(05.3): check the arguments, launch it, return its error.
  //> CONVKIT_TODO("05.3");
  //> return cudaSuccess;
  const Conv2dShape& s = *shape;
  const cudaError_t bad = check_arguments({{d_dy, s.y_size()}, {d_db, s.m}}, s);
  if (bad != cudaSuccess) return bad;
  bgrad_kernel<<<s.m, kThreads, 0, stream>>>(d_dy, d_db, s, accumulate != 0);
  return cudaGetLastError();
  // END SOLUTION
}
