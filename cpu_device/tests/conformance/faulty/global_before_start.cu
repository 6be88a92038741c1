// SPDX-License-Identifier: MIT
// The left neighbour of the first element.
#include "../check.h"

__global__ void difference_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = in[i] - in[i - 1];  // fault: element -1
}

int main() {
  const int n = 128;
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, n * sizeof(int)));
  CHECK(cudaMalloc(&d_out, n * sizeof(int)));
  CHECK(cudaMemset(d_in, 0, n * sizeof(int)));
  difference_kernel<<<2, 64>>>(d_in, d_out, n);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "out_of_bounds_global"
kernel = "difference_kernel"
line = 8
mentions = ["512 bytes"]
mode = "check"
*/
