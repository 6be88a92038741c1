// SPDX-License-Identifier: MIT
// Fences: a block publishes data and then a flag; the reader of the flag sees the data.
#include "../check.h"

__global__ void publish_kernel(volatile int* data, int* flags, int* sums) {
  __shared__ int last;
  const int i = threadIdx.x, block = blockIdx.x;
  data[block * blockDim.x + i] = block + 1;
  __threadfence();
  __syncthreads();
  if (i == 0) last = atomicAdd(flags, 1) == static_cast<int>(gridDim.x) - 1;
  __syncthreads();
  if (!last || i != 0) return;
  __threadfence_block();
  int sum = 0;
  for (unsigned k = 0; k < gridDim.x * blockDim.x; ++k) sum += data[k];
  *sums = sum;
  __threadfence_system();
}

int main() {
  DeviceArray<int> data(20 * 64), flags(1), sums(1);
  publish_kernel<<<20, 64>>>(data.data(), flags.data(), sums.data());
  CHECK_LAUNCH();
  show("sum", sums.host());
}

/* Prints:
sum: 13440
*/
