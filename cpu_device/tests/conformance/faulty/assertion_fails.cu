// SPDX-License-Identifier: MIT
// An assertion about the index does not hold for the last threads.
#include <cassert>

#include "../check.h"

__global__ void bounded_kernel(int* data, int n) {
  const int i = threadIdx.x;
  assert(i < n);  // fault
  data[i] = i;
}

int main() {
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 40 * sizeof(int)));
  bounded_kernel<<<1, 64>>>(d_data, 40);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_data));
}

/* Reports:
kind = "assertion"
kernel = "bounded_kernel"
line = 9
mentions = ["i < n"]
mode = "any"
*/
