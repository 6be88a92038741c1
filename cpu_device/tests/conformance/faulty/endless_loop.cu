// SPDX-License-Identifier: MIT
// The loop waits for a value that no thread ever writes.
#include "../check.h"

__global__ void wait_kernel(volatile int* flag) {
  while (*flag == 0) {
  }
  *flag = 2;
}

int main() {
  int* d_flag = nullptr;
  CHECK(cudaMalloc(&d_flag, sizeof(int)));
  CHECK(cudaMemset(d_flag, 0, sizeof(int)));
  wait_kernel<<<1, 1>>>(d_flag);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_flag));
}

/* Reports:
kind = "endless_kernel"
kernel = "wait_kernel"
mode = "any"
*/
