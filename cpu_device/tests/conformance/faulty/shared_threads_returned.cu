// SPDX-License-Identifier: MIT
// The threads that have no output return before they have loaded the last of the inputs.
#include "../check.h"

constexpr int kThreads = 32;

__global__ void sums_kernel(const int* in, int* out, int outputs) {
  __shared__ int cells[kThreads];
  const int t = threadIdx.x;
  if (t >= outputs) return;
  cells[t] = in[t];
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 3; ++i) {
    sum += cells[t + i];  // fault: nobody wrote element 30
  }
  out[t] = sum;
}

int main() {
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, kThreads * sizeof(int)));
  CHECK(cudaMalloc(&d_out, kThreads * sizeof(int)));
  CHECK(cudaMemset(d_in, 0, kThreads * sizeof(int)));
  sums_kernel<<<1, kThreads>>>(d_in, d_out, kThreads - 2);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "uninitialised_shared"
kernel = "sums_kernel"
line = 15
mentions = ["Of its 32 elements, 30 to 31 were written by no thread.", "2 of the block's 32 threads had returned before its first barrier."]
mode = "check"
*/
