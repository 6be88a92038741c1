// SPDX-License-Identifier: MIT
// Threads go through the loop, and so to its barrier, unequally often; the others wait after it.
#include "../check.h"

__global__ void loop_kernel(int* data) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  for (unsigned i = 0; i < 1 + threadIdx.x % 2; ++i) {
    atomicAdd(&total, 1);
    __syncthreads();  // fault
  }
  __syncthreads();  // fault
  data[threadIdx.x] = total;
}

int main() {
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 64 * sizeof(int)));
  loop_kernel<<<1, 64>>>(d_data);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_data));
}

/* Reports:
kind = "divergent_barrier"
kernel = "loop_kernel"
lines = [11, 13]
mode = "any"
*/
