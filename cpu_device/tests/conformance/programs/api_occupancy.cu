// SPDX-License-Identifier: MIT
// Occupancy queries give usable block sizes, and fewer blocks for more shared memory.
#include "../check.h"

__global__ void kernel(int* out) {
  extern __shared__ int occupancy_shared[];
  occupancy_shared[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) *out = occupancy_shared[blockDim.x - 1];
}

int main() {
  int small = 0, large = 0, hungry = 0, grid = 0, block = 0, limited = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&small, kernel, 64, 64 * sizeof(int)));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&large, kernel, 1024, 1024 * sizeof(int)));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&hungry, kernel, 64, 40 * 1024));
  expect("blocks", small >= 1 && large >= 1 && large <= small && hungry <= small);
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 0));
  expect("potential", grid >= 1 && block >= 32 && block <= 1024 && block % 32 == 0);
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &limited, kernel, 0, 100));
  expect("limited", limited >= 1 && limited <= 100);
  DeviceArray<int> out(1);
  kernel<<<1, block, block * sizeof(int)>>>(out.data());
  CHECK_LAUNCH();
  expect("launched", out.host()[0] == block - 1);
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, kernel));
  expect("attributes",
         attributes.maxThreadsPerBlock >= block && attributes.maxThreadsPerBlock <= 1024);
}

/* Prints:
blocks: ok
potential: ok
limited: ok
launched: ok
attributes: ok
*/
