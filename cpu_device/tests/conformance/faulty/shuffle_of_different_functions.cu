// SPDX-License-Identifier: MIT
// Lanes of one mask are in different warp functions.
#include "../check.h"

__global__ void mixed_kernel(int* out) {
  int value = threadIdx.x;
  if (threadIdx.x % 2) {
    value = __shfl_xor_sync(0xffffffff, value, 1);  // fault
  } else {
    value = __any_sync(0xffffffff, value == 3);  // fault
  }
  out[threadIdx.x] = value;
}

int main() {
  int* d_out = nullptr;
  CHECK(cudaMalloc(&d_out, 32 * sizeof(int)));
  mixed_kernel<<<1, 32>>>(d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "shuffle_mask"
kernel = "mixed_kernel"
lines = [8, 10]
mode = "any"
*/
