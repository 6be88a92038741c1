// SPDX-License-Identifier: MIT
// A block waits for nothing: it reads what another block writes in the same launch.
#include "../check.h"

__global__ void relay_kernel(int* stages) {
  if (threadIdx.x != 0) return;
  const int block = blockIdx.x;
  const int before = block > 0 ? stages[block - 1] : 1;  // fault
  stages[block] = before + 1;                            // fault
}

int main() {
  int* d_stages = nullptr;
  CHECK(cudaMalloc(&d_stages, 16 * sizeof(int)));
  CHECK(cudaMemset(d_stages, 0, 16 * sizeof(int)));
  relay_kernel<<<16, 32>>>(d_stages);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_stages));
}

/* Reports:
kind = "race_across_blocks"
kernel = "relay_kernel"
lines = [8, 9]
mentions = ["64 bytes"]
mode = "check"
*/
