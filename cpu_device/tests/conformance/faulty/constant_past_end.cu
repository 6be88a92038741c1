// SPDX-License-Identifier: MIT
// A filter of 3 x 3 in constant memory, read as if it were 4 x 4.
#include "../check.h"

__constant__ float filter[9];

__global__ void sum_kernel(float* out, int size) {
  float sum = 0;
  for (int i = 0; i < size * size; ++i) {
    sum += filter[i];  // fault: there are 9 elements
  }
  *out = sum;
}

int main() {
  const float host[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  float* d_out = nullptr;
  CHECK(cudaMemcpyToSymbol(filter, host, sizeof(host)));
  CHECK(cudaMalloc(&d_out, sizeof(float)));
  sum_kernel<<<1, 1>>>(d_out, 4);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "out_of_bounds_global"
kernel = "sum_kernel"
line = 10
mentions = ["filter"]
mode = "check"
*/
