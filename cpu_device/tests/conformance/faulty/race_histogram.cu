// SPDX-License-Identifier: MIT
// Bins in shared memory are counted without atomics.
#include "../check.h"

__global__ void histogram_kernel(const int* values, int* out) {
  __shared__ int bins[8];
  const int t = threadIdx.x;
  if (t < 8) bins[t] = 0;
  __syncthreads();
  ++bins[values[t]];  // fault
  __syncthreads();
  if (t < 8) out[t] = bins[t];
}

int main() {
  int values[64], *d_values = nullptr, *d_out = nullptr;
  for (int i = 0; i < 64; ++i) values[i] = i % 8;
  CHECK(cudaMalloc(&d_values, sizeof(values)));
  CHECK(cudaMalloc(&d_out, 8 * sizeof(int)));
  CHECK(cudaMemcpy(d_values, values, sizeof(values), cudaMemcpyHostToDevice));
  histogram_kernel<<<1, 64>>>(d_values, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_values));
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "race_shared"
kernel = "histogram_kernel"
line = 10
mentions = ["bins"]
mode = "check"
*/
