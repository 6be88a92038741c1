// SPDX-License-Identifier: MIT
// One bin too few: the value 16 has no place in bins 0 to 15.
#include "../check.h"

__global__ void count_kernel(const int* values, unsigned* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[values[i]], 1u);  // fault: values go up to 16
}

int main() {
  const int n = 64, bins = 16;
  int values[n], *d_values = nullptr;
  unsigned* d_bins = nullptr;
  for (int i = 0; i < n; ++i) values[i] = i % (bins + 1);
  CHECK(cudaMalloc(&d_values, sizeof(values)));
  CHECK(cudaMalloc(&d_bins, bins * sizeof(unsigned)));
  CHECK(cudaMemcpy(d_values, values, sizeof(values), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d_bins, 0, bins * sizeof(unsigned)));
  count_kernel<<<1, n>>>(d_values, d_bins, n);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_values));
  CHECK(cudaFree(d_bins));
}

/* Reports:
kind = "out_of_bounds_global"
kernel = "count_kernel"
line = 7
mentions = ["64 bytes"]
mode = "check"
*/
