// SPDX-License-Identifier: MIT
// The last block has more threads than the array has elements left.
#include "../check.h"

__global__ void scale_kernel(float* data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = 2.0f;  // fault: i < n is not asked
}

int main() {
  const int n = 1000;
  float* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, n * sizeof(float)));
  scale_kernel<<<(n + 255) / 256, 256>>>(d_data);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_data));
}

/* Reports:
kind = "out_of_bounds_global"
kernel = "scale_kernel"
mentions = ["4000 bytes"]
mode = "check"
*/
