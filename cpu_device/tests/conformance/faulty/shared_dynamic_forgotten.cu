// SPDX-License-Identifier: MIT
// The third item of the configuration is missing: no dynamic shared memory at all.
#include "../check.h"

__global__ void copy_kernel(const int* in, int* out) {
  extern __shared__ int staged[];
  staged[threadIdx.x] = in[threadIdx.x];  // fault: the launch asked for 0 bytes
  __syncthreads();
  out[threadIdx.x] = staged[threadIdx.x];
}

int main() {
  const int n = 64;
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, n * sizeof(int)));
  CHECK(cudaMalloc(&d_out, n * sizeof(int)));
  CHECK(cudaMemset(d_in, 0, n * sizeof(int)));
  copy_kernel<<<1, n>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "out_of_bounds_shared"
kernel = "copy_kernel"
line = 7
mentions = ["staged"]
mode = "check"
*/
