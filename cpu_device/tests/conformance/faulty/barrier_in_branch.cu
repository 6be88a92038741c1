// SPDX-License-Identifier: MIT
// The two halves of the block wait at different barriers.
#include "../check.h"

__global__ void halves_kernel(int* data) {
  __shared__ int cells[64];
  const int t = threadIdx.x;
  if (t < 32) {
    cells[t] = 2 * t;
    __syncthreads();  // fault
  } else {
    cells[t] = 3 * t;
    __syncthreads();  // fault
  }
  data[t] = cells[63 - t];
}

int main() {
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 64 * sizeof(int)));
  halves_kernel<<<1, 64>>>(d_data);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_data));
}

/* Reports:
kind = "divergent_barrier"
kernel = "halves_kernel"
lines = [10, 13]
mode = "any"
*/
