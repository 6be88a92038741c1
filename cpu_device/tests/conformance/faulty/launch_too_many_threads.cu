// SPDX-License-Identifier: MIT
// A block of 2048 threads is refused; nobody asks, and the output is taken for the result.
#include "../check.h"

__global__ void fill_kernel(int* out) {
  out[threadIdx.x] = 1;
}

int main() {
  int *d_out = nullptr, host[2048];
  CHECK(cudaMalloc(&d_out, sizeof(host)));
  CHECK(cudaMemset(d_out, 0, sizeof(host)));
  fill_kernel<<<1, 2048>>>(d_out);  // fault
  CHECK(cudaMemcpy(host, d_out, sizeof(host), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "launch_error_unread"
kernel = "fill_kernel"
line = 13
mentions = ["cudaErrorInvalid", "2048"]
mode = "check"
*/
