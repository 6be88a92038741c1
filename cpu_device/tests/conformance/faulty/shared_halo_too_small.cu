// SPDX-License-Identifier: MIT
// A halo of one cell on the left, but the array has no room for it.
#include "../check.h"

constexpr int kThreads = 64;

__global__ void blur_kernel(const int* in, int* out) {
  __shared__ int cells[kThreads];
  const int t = threadIdx.x;
  cells[t + 1] = in[t];  // fault: element 64 of 64
  if (t == 0) cells[0] = 0;
  __syncthreads();
  out[t] = cells[t];
}

int main() {
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, kThreads * sizeof(int)));
  CHECK(cudaMalloc(&d_out, kThreads * sizeof(int)));
  CHECK(cudaMemset(d_in, 0, kThreads * sizeof(int)));
  blur_kernel<<<1, kThreads>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "out_of_bounds_shared"
kernel = "blur_kernel"
line = 10
mentions = ["cells"]
mode = "check"
*/
