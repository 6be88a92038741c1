// SPDX-License-Identifier: MIT
// The last levels of a reduction trust that a warp runs in step: __syncwarp is missing.
#include "../check.h"

__global__ void sum_kernel(const int* in, int* out) {
  __shared__ int sums[64];
  const int t = threadIdx.x;
  sums[t] = in[t];
  __syncthreads();
  volatile int* cells = sums;
  for (int by = 32; t < 32 && by > 0; by /= 2) {
    cells[t] = cells[t] + cells[t + by];  // fault
  }
  if (t == 0) *out = cells[0];
}

int main() {
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, 64 * sizeof(int)));
  CHECK(cudaMalloc(&d_out, sizeof(int)));
  CHECK(cudaMemset(d_in, 0, 64 * sizeof(int)));
  sum_kernel<<<1, 64>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "race_volatile"
kernel = "sum_kernel"
line = 12
mentions = ["sums"]
mode = "check"
*/
