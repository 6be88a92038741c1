// SPDX-License-Identifier: MIT
// The left neighbour of element 0 of a shared array.
#include "../check.h"

__global__ void difference_kernel(const int* in, int* out) {
  __shared__ int before[32];
  __shared__ int values[64];
  const int t = threadIdx.x;
  if (t < 32) before[t] = 0;
  values[t] = in[t];
  __syncthreads();
  out[t] = values[t] - values[t - 1] + before[t % 32];  // fault: values[-1]
}

int main() {
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, 64 * sizeof(int)));
  CHECK(cudaMalloc(&d_out, 64 * sizeof(int)));
  CHECK(cudaMemset(d_in, 0, 64 * sizeof(int)));
  difference_kernel<<<1, 64>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "out_of_bounds_shared"
kernel = "difference_kernel"
line = 12
mentions = ["values"]
mode = "check"
*/
