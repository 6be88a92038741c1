// SPDX-License-Identifier: MIT
// Atomic additions, and a plain read of the sum that does not wait for them.
#include "../check.h"

__global__ void count_kernel(const int* in, int* out) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, in[threadIdx.x]);  // fault
  if (threadIdx.x == 0) *out = total;  // fault: a barrier is missing before it
}

int main() {
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, 96 * sizeof(int)));
  CHECK(cudaMalloc(&d_out, sizeof(int)));
  CHECK(cudaMemset(d_in, 0, 96 * sizeof(int)));
  count_kernel<<<1, 96>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "race_shared"
kernel = "count_kernel"
lines = [9, 10]
mentions = ["total"]
mode = "check"
*/
