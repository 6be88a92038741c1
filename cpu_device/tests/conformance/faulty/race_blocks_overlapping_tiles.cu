// SPDX-License-Identifier: MIT
// Tiles of 18 are placed 16 apart: two blocks write the same elements.
#include "../check.h"

__global__ void tile_kernel(float* out) {
  const int i = blockIdx.x * 16 + threadIdx.x;
  out[i] = blockIdx.x;  // fault
}

int main() {
  float* d_out = nullptr;
  CHECK(cudaMalloc(&d_out, 100 * sizeof(float)));
  tile_kernel<<<5, 18>>>(d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "race_across_blocks"
kernel = "tile_kernel"
line = 7
mentions = ["400 bytes"]
mode = "check"
*/
