// SPDX-License-Identifier: MIT
// A block shifts an array in global memory in place.
#include "../check.h"

__global__ void shift_kernel(int* data, int n) {
  const int i = threadIdx.x;
  if (i + 1 >= n) return;
  const int next = data[i + 1];  // fault
  data[i] = next;                // fault
}

int main() {
  const int n = 128;
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, n * sizeof(int)));
  CHECK(cudaMemset(d_data, 0, n * sizeof(int)));
  shift_kernel<<<1, n>>>(d_data, n);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_data));
}

/* Reports:
kind = "race_global_block"
kernel = "shift_kernel"
lines = [8, 9]
mentions = ["512 bytes"]
mode = "check"
*/
