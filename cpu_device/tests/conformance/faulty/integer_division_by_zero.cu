// SPDX-License-Identifier: MIT
// A GPU goes on with a meaningless number; the CPU device stops.
#include "../check.h"

__global__ void average_kernel(const int* sums, const int* counts, int* out) {
  out[threadIdx.x] = sums[threadIdx.x] / counts[threadIdx.x];  // fault
}

int main() {
  const int counts[4] = {1, 2, 0, 3};
  int *d_sums = nullptr, *d_counts = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_sums, sizeof(counts)));
  CHECK(cudaMalloc(&d_counts, sizeof(counts)));
  CHECK(cudaMalloc(&d_out, sizeof(counts)));
  CHECK(cudaMemset(d_sums, 1, sizeof(counts)));
  CHECK(cudaMemcpy(d_counts, counts, sizeof(counts), cudaMemcpyHostToDevice));
  average_kernel<<<1, 4>>>(d_sums, d_counts, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_sums));
  CHECK(cudaFree(d_counts));
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "integer_division"
kernel = "average_kernel"
line = 6
mode = "any"
*/
