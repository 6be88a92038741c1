// SPDX-License-Identifier: MIT
// A tile of 16 x 16 for blocks of 16 x 17.
#include "../check.h"

__global__ void tile_kernel(float* out) {
  __shared__ float tile[16][16];
  tile[threadIdx.y][threadIdx.x] = threadIdx.y;  // fault: row 16 does not exist
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) *out = tile[15][15];
}

int main() {
  float* d_out = nullptr;
  CHECK(cudaMalloc(&d_out, sizeof(float)));
  tile_kernel<<<1, dim3(16, 17)>>>(d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "out_of_bounds_shared"
kernel = "tile_kernel"
line = 7
mentions = ["tile"]
mode = "check"
*/
