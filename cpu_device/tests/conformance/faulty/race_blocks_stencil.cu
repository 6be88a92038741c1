// SPDX-License-Identifier: MIT
// A stencil in place: within a block there are barriers, but the neighbour's edge is overwritten.
#include "../check.h"

__global__ void blur_kernel(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int right = i + 1 < n ? data[i + 1] : 0;  // fault
  __syncthreads();
  data[i] = right;  // fault
}

int main() {
  const int n = 512;
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, n * sizeof(int)));
  CHECK(cudaMemset(d_data, 0, n * sizeof(int)));
  blur_kernel<<<n / 64, 64>>>(d_data, n);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_data));
}

/* Reports:
kind = "race_across_blocks"
kernel = "blur_kernel"
lines = [7, 9]
mentions = ["2048 bytes"]
mode = "check"
*/
