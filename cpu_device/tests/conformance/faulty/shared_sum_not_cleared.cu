// SPDX-License-Identifier: MIT
// A counter in shared memory is used without being set to zero.
#include "../check.h"

__global__ void count_kernel(const int* in, int* out) {
  __shared__ int positive;
  if (in[threadIdx.x] > 0) {
    atomicAdd(&positive, 1);  // fault
  }
  __syncthreads();
  if (threadIdx.x == 0) *out = positive;
}

int main() {
  int host[64], *d_in = nullptr, *d_out = nullptr;
  for (int i = 0; i < 64; ++i) host[i] = i;
  CHECK(cudaMalloc(&d_in, sizeof(host)));
  CHECK(cudaMalloc(&d_out, sizeof(int)));
  CHECK(cudaMemcpy(d_in, host, sizeof(host), cudaMemcpyHostToDevice));
  count_kernel<<<1, 64>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "uninitialised_shared"
kernel = "count_kernel"
line = 8
mentions = ["positive"]
mode = "check"
*/
