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

void launch_other(int* data, int n) {
  scale_kernel<<<1, n>>>(data);
}
