// SPDX-License-Identifier: MIT
// The copy brings n bytes instead of n elements.
#include "../check.h"

__global__ void square_kernel(const int* in, int* out) {
  const int value = in[threadIdx.x];  // fault: only a quarter was copied
  out[threadIdx.x] = value * value;
}

int main() {
  const int n = 64;
  int host[n] = {}, *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, n * sizeof(int)));
  CHECK(cudaMalloc(&d_out, n * sizeof(int)));
  CHECK(cudaMemcpy(d_in, host, n, cudaMemcpyHostToDevice));
  square_kernel<<<1, n>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "uninitialised_global"
kernel = "square_kernel"
line = 6
mentions = ["256 bytes"]
mode = "check"
*/
