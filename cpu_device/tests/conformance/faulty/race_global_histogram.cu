// SPDX-License-Identifier: MIT
// The threads of one block count in global memory without atomics.
#include "../check.h"

__global__ void histogram_kernel(const int* values, int* bins) {
  bins[values[threadIdx.x]] += 1;  // fault
}

int main() {
  int values[64], *d_values = nullptr, *d_bins = nullptr;
  for (int i = 0; i < 64; ++i) values[i] = i % 5;
  CHECK(cudaMalloc(&d_values, sizeof(values)));
  CHECK(cudaMalloc(&d_bins, 5 * sizeof(int)));
  CHECK(cudaMemcpy(d_values, values, sizeof(values), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d_bins, 0, 5 * sizeof(int)));
  histogram_kernel<<<1, 64>>>(d_values, d_bins);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_values));
  CHECK(cudaFree(d_bins));
}

/* Reports:
kind = "race_global_block"
kernel = "histogram_kernel"
line = 6
mentions = ["20 bytes"]
mode = "check"
*/
