// SPDX-License-Identifier: MIT
// The launch asks for n bytes of shared memory where the kernel needs n floats.
#include "../check.h"

__global__ void reverse_kernel(float* data, int n) {
  extern __shared__ float buffer[];
  const int i = threadIdx.x;
  buffer[i] = data[i];  // fault: past the bytes that the launch asked for
  __syncthreads();
  data[i] = buffer[n - 1 - i];
}

int main() {
  const int n = 256;
  float* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, n * sizeof(float)));
  CHECK(cudaMemset(d_data, 0, n * sizeof(float)));
  reverse_kernel<<<1, n, n>>>(d_data, n);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_data));
}

/* Reports:
kind = "out_of_bounds_shared"
kernel = "reverse_kernel"
line = 8
mentions = ["buffer", "256 bytes"]
mode = "check"
*/
