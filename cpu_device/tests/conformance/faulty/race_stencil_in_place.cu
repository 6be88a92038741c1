// SPDX-License-Identifier: MIT
// A blur in place: a neighbour is read that may have been overwritten already.
#include "../check.h"

__global__ void blur_kernel(int* data) {
  __shared__ int cells[96];
  const int t = threadIdx.x;
  cells[t] = data[t];
  __syncthreads();
  const int right = t < 95 ? cells[t + 1] : 0;  // fault
  cells[t] = right / 2;                         // fault
  __syncthreads();
  data[t] = cells[t];
}

int main() {
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 96 * sizeof(int)));
  CHECK(cudaMemset(d_data, 0, 96 * sizeof(int)));
  blur_kernel<<<1, 96>>>(d_data);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_data));
}

/* Reports:
kind = "race_shared"
kernel = "blur_kernel"
lines = [10, 11]
mentions = ["cells"]
mode = "check"
*/
