// SPDX-License-Identifier: MIT
// The left halo is loaded, the right one is not.
#include "../check.h"

constexpr int kThreads = 32;

__global__ void blur_kernel(const int* in, int* out) {
  __shared__ int cells[kThreads + 2];
  const int t = threadIdx.x;
  cells[t + 1] = in[t];
  if (t == 0) cells[0] = 0;
  __syncthreads();
  const int left = cells[t], middle = cells[t + 1];
  const int right = cells[t + 2];  // fault: nobody wrote element 33
  out[t] = left + 2 * middle + right;
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
kind = "uninitialised_shared"
kernel = "blur_kernel"
line = 14
mentions = ["cells", "Of its 34 elements, 33 was written by no thread."]
mode = "check"
*/
