// SPDX-License-Identifier: MIT
// In the last block some threads load nothing, but the sum takes the whole tile.
#include "../check.h"

__global__ void sum_kernel(const int* in, int* out, int n) {
  __shared__ int tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) tile[threadIdx.x] = in[i];
  __syncthreads();
  if (threadIdx.x != 0) return;
  int sum = 0;
  for (int k = 0; k < 64; ++k) {
    sum += tile[k];  // fault: n is 100
  }
  out[blockIdx.x] = sum;
}

int main() {
  const int n = 100;
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, n * sizeof(int)));
  CHECK(cudaMalloc(&d_out, 2 * sizeof(int)));
  CHECK(cudaMemset(d_in, 0, n * sizeof(int)));
  sum_kernel<<<2, 64>>>(d_in, d_out, n);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "uninitialised_shared"
kernel = "sum_kernel"
line = 13
mentions = ["tile"]
mode = "check"
*/
