// SPDX-License-Identifier: MIT
// One thread of each block adds to a counter, without an atomic.
#include "../check.h"

__global__ void count_kernel(int* count) {
  if (threadIdx.x == 0) *count += 1;  // fault
}

int main() {
  int* d_count = nullptr;
  CHECK(cudaMalloc(&d_count, sizeof(int)));
  CHECK(cudaMemset(d_count, 0, sizeof(int)));
  count_kernel<<<64, 32>>>(d_count);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_count));
}

/* Reports:
kind = "race_across_blocks"
kernel = "count_kernel"
line = 6
mentions = ["4 bytes"]
mode = "check"
*/
