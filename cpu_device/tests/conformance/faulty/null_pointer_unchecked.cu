// SPDX-License-Identifier: MIT
// The error of an impossible cudaMalloc is not looked at, and the kernel gets its null pointer.
#include "../check.h"

__global__ void fill_kernel(float* data) {
  data[threadIdx.x] = 1.0f;  // fault: data is null
}

int main() {
  float* d_data = nullptr;
  (void)cudaMalloc(&d_data, size_t{1} << 44);
  (void)cudaGetLastError();
  fill_kernel<<<1, 32>>>(d_data);
  CHECK_LAUNCH();
}

/* Reports:
kind = "null_pointer"
kernel = "fill_kernel"
line = 6
mode = "any"
*/
