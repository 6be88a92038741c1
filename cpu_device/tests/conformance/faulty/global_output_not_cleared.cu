// SPDX-License-Identifier: MIT
// The kernel adds to its output, which nobody set to zero.
#include "../check.h"

__global__ void add_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += x[i];  // fault: y was never written
}

int main() {
  const int n = 100;
  float *d_x = nullptr, *d_y = nullptr;
  CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  CHECK(cudaMalloc(&d_y, n * sizeof(float)));
  CHECK(cudaMemset(d_x, 0, n * sizeof(float)));
  add_kernel<<<2, 64>>>(d_x, d_y, n);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_x));
  CHECK(cudaFree(d_y));
}

/* Reports:
kind = "uninitialised_global"
kernel = "add_kernel"
line = 7
mentions = ["400 bytes"]
mode = "check"
*/
