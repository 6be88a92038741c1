// SPDX-License-Identifier: MIT
// A block reverses its part in shared memory, with no barrier between writing and reading.
#include "../check.h"

__global__ void reverse_kernel(int* data) {
  __shared__ int cells[128];
  const int t = threadIdx.x;
  cells[t] = data[t];        // fault
  data[t] = cells[127 - t];  // fault
}

int main() {
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 128 * sizeof(int)));
  CHECK(cudaMemset(d_data, 0, 128 * sizeof(int)));
  reverse_kernel<<<1, 128>>>(d_data);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_data));
}

/* Reports:
kind = "race_shared"
kernel = "reverse_kernel"
lines = [8, 9]
mentions = ["cells"]
mode = "check"
*/
