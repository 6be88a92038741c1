// SPDX-License-Identifier: MIT
// Each thread has an array that is larger than its stack.
#include "../check.h"

__global__ void sort_kernel(int* out, int n) {
  int keys[200000];
  for (int i = 0; i < n; ++i) keys[i] = (i * 7919) % n;
  int least = keys[0];
  for (int i = 1; i < n; ++i) least = keys[i] < least ? keys[i] : least;
  out[threadIdx.x] = least;
}

int main() {
  int* d_out = nullptr;
  CHECK(cudaMalloc(&d_out, 4 * sizeof(int)));
  sort_kernel<<<1, 4>>>(d_out, 1000);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "stack_overflow"
kernel = "sort_kernel"
mode = "any"
*/
