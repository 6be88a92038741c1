// SPDX-License-Identifier: MIT
// The recursion has no end for odd numbers.
#include "../check.h"

__device__ int steps(int n) {
  return n == 0 ? 0 : 1 + steps(n - 2) * steps(n - 4);
}

__global__ void count_kernel(int* out) {
  out[threadIdx.x] = steps(2 * threadIdx.x + 1);
}

int main() {
  int* d_out = nullptr;
  CHECK(cudaMalloc(&d_out, 4 * sizeof(int)));
  count_kernel<<<1, 4>>>(d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "stack_overflow"
kernel = "count_kernel"
mode = "any"
*/
