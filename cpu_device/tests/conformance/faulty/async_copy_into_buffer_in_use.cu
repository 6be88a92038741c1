// SPDX-License-Identifier: MIT
// A copy is asked for while other threads still read the buffer: a barrier is missing at the end of
// the loop. That the copy is waited for only after a later barrier does not help.
#include <cuda_pipeline.h>

#include "../check.h"

__global__ void sum_kernel(const int* in, int* out, int parts) {
  __shared__ int cells[2][32];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&cells[0][t], &in[t], sizeof(int));
  __pipeline_commit();
  int sum = 0;
  for (int part = 0; part < parts; ++part) {
    if (part + 1 < parts) {
      const int* next = &in[32 * (part + 1)];
      __pipeline_memcpy_async(&cells[(part + 1) % 2][t], &next[t], sizeof(int));  // fault
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += cells[part % 2][31 - t];  // fault
  }
  out[t] = sum;
}

int main() {
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, 4 * 32 * sizeof(int)));
  CHECK(cudaMalloc(&d_out, 32 * sizeof(int)));
  CHECK(cudaMemset(d_in, 0, 4 * 32 * sizeof(int)));
  sum_kernel<<<1, 32>>>(d_in, d_out, 4);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "race_shared"
kernel = "sum_kernel"
lines = [17, 22]
mentions = ["cells"]
mode = "check"
*/
