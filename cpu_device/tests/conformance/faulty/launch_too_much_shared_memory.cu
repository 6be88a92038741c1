// SPDX-License-Identifier: MIT
// More than 48 KiB of dynamic shared memory without cudaFuncSetAttribute, and no look at the error.
#include "../check.h"

__global__ void fill_kernel(int* out) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = buffer[threadIdx.x];
}

int main() {
  int* d_out = nullptr;
  CHECK(cudaMalloc(&d_out, 64 * sizeof(int)));
  fill_kernel<<<1, 64, 50000>>>(d_out);  // fault
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "launch_error_unread"
kernel = "fill_kernel"
line = 14
mentions = ["cudaErrorInvalidValue"]
mode = "check"
*/
