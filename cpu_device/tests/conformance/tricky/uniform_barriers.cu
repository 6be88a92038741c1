// SPDX-License-Identifier: MIT
// Barriers in branches and loops that a whole block takes alike, though blocks differ.
#include "../check.h"

__device__ void exchange(int* cells, int partner) {
  const int value = cells[partner];
  __syncthreads();
  cells[threadIdx.x] = value + 1;
  __syncthreads();
}

__global__ void uniform_kernel(int* out) {
  __shared__ int cells[32];
  const int t = threadIdx.x;
  cells[t] = t;
  if (blockIdx.x % 2 == 0) {
    __syncthreads();
    exchange(cells, 31 - t);
  } else {
    __syncthreads();
    for (unsigned round = 0; round < blockIdx.x; ++round) exchange(cells, (t + 1) % 32);
  }
  if (cells[0] >= 0) __syncthreads();  // the same answer in all threads
  out[blockIdx.x * 32 + t] = cells[t];
}

int main() {
  DeviceArray<int> out(4 * 32);
  uniform_kernel<<<4, 32>>>(out.data());
  CHECK_LAUNCH();
  const std::vector<int> got = out.host();
  show("some", got[0], got[31], got[32], got[63], got[64], got[96], got[127]);
}

/* Prints:
some: 32 1 2 1 32 6 5
*/
