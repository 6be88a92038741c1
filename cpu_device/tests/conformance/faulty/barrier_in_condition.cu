// SPDX-License-Identifier: MIT
// Only threads with work reach the inner barrier; the rest are already at the next one.
#include "../check.h"

__global__ void tail_kernel(const int* in, int* out, int n) {
  __shared__ int cells[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (i < n) {
    cells[t] = in[i];
    __syncthreads();  // fault
    if (t > 0) out[i] = cells[t - 1];
  }
  __syncthreads();  // fault
  if (i < n) cells[t] = 0;
}

int main() {
  const int n = 100;
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, n * sizeof(int)));
  CHECK(cudaMalloc(&d_out, n * sizeof(int)));
  CHECK(cudaMemset(d_in, 0, n * sizeof(int)));
  tail_kernel<<<2, 64>>>(d_in, d_out, n);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "divergent_barrier"
kernel = "tail_kernel"
lines = [10, 13]
mode = "any"
*/
