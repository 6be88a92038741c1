// SPDX-License-Identifier: MIT
// Blocks add to one sum. `volatile` makes each look at memory, and another block can still write
// between the read and the write.
#include "../check.h"

__global__ void sum_kernel(const int* in, int* out) {
  volatile int* sum = out;
  *sum = *sum + in[blockIdx.x];  // fault
}

int main() {
  int *d_in = nullptr, *d_out = nullptr;
  const int in[4] = {1, 2, 3, 4};
  CHECK(cudaMalloc(&d_in, sizeof in));
  CHECK(cudaMalloc(&d_out, sizeof(int)));
  CHECK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d_out, 0, sizeof(int)));
  sum_kernel<<<4, 1>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "race_volatile"
kernel = "sum_kernel"
line = 8
mentions = ["of block (0,0,0)", "in the same launch"]
mode = "check"
*/
