// SPDX-License-Identifier: MIT
// A buffer that nobody frees.
#include "../check.h"

__global__ void fill_kernel(char* data) {
  data[threadIdx.x] = 1;
}

int main() {
  char *d_kept = nullptr, *d_lost = nullptr;
  CHECK(cudaMalloc(&d_kept, 100));
  CHECK(cudaMalloc(&d_lost, 12345));  // fault
  fill_kernel<<<1, 100>>>(d_kept);
  fill_kernel<<<1, 100>>>(d_lost);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_kept));
}

/* Reports:
kind = "leak"
line = 12
mentions = ["12345"]
mode = "check"
*/
