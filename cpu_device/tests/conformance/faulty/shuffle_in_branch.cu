// SPDX-License-Identifier: MIT
// Half a warp shuffles with a mask that names all of it; the rest waits at the block's barrier.
#include "../check.h"

__global__ void sum_kernel(int* out) {
  int value = threadIdx.x;
  if (threadIdx.x < 16) {
    value += __shfl_down_sync(0xffffffff, value, 8);  // fault: lanes 16 to 31 do not come
  }
  __syncthreads();
  out[threadIdx.x] = value;
}

int main() {
  int* d_out = nullptr;
  CHECK(cudaMalloc(&d_out, 32 * sizeof(int)));
  sum_kernel<<<1, 32>>>(d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "shuffle_mask"
kernel = "sum_kernel"
line = 8
mode = "any"
*/
