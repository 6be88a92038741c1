// SPDX-License-Identifier: MIT
// Hillis and Steele's scan with one buffer and one barrier a step: reads and writes meet.
#include "../check.h"

__global__ void scan_kernel(int* data) {
  __shared__ int sums[64];
  const int t = threadIdx.x;
  sums[t] = data[t];
  for (int by = 1; by < 64; by *= 2) {
    __syncthreads();
    if (t >= by) sums[t] += sums[t - by];  // fault
  }
  data[t] = sums[t];
}

int main() {
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 64 * sizeof(int)));
  CHECK(cudaMemset(d_data, 0, 64 * sizeof(int)));
  scan_kernel<<<1, 64>>>(d_data);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_data));
}

/* Reports:
kind = "race_shared"
kernel = "scan_kernel"
line = 11
mentions = ["sums"]
mode = "check"
*/
