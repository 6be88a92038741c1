// SPDX-License-Identifier: MIT
// The second source of language_two_files.cu.
#include <cuda_runtime.h>

__global__ void shared_kernel(int* data, int by) {
  data[threadIdx.x] += by;
}

namespace {
__constant__ int factor = 10;
__global__ void scale_kernel(int* data) {
  data[threadIdx.x] += data[threadIdx.x] * factor;
}
}  // namespace

__device__ int count[2] = {1, 2};

void launch_other(int* data, int n) {
  const int counts[2] = {-1, -2};
  cudaMemcpyToSymbol(count, counts, sizeof counts);
  scale_kernel<<<1, n>>>(data);
}
