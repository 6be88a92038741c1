// SPDX-License-Identifier: MIT
// The input is freed before the kernel that reads it is launched.
#include "../check.h"

__global__ void copy_kernel(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];  // fault: in was freed
}

int main() {
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, 4096));
  CHECK(cudaMalloc(&d_out, 4096));
  CHECK(cudaMemset(d_in, 0, 4096));
  CHECK(cudaFree(d_in));
  copy_kernel<<<1, 1024>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "use_after_free"
kernel = "copy_kernel"
line = 6
mentions = ["4096 bytes"]
mode = "any"
*/
