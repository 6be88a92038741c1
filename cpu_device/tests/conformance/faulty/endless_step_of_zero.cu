// SPDX-License-Identifier: MIT
// A loop whose step is an argument, and the argument is 0.
#include "../check.h"

__global__ void sum_kernel(const int* in, int* out, int n, int step) {
  int sum = 0;
  for (int i = 0; i < n; i += step) sum += in[i];
  *out = sum;
}

int main() {
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, 64));
  CHECK(cudaMalloc(&d_out, sizeof(int)));
  CHECK(cudaMemset(d_in, 1, 64));
  sum_kernel<<<1, 1>>>(d_in, d_out, 16, 0);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "endless_kernel"
kernel = "sum_kernel"
mode = "any"
*/
