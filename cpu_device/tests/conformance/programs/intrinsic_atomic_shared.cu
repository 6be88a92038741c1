// SPDX-License-Identifier: MIT
// Atomics on shared memory: counters, floats, maxima, reset between rounds.
#include "../check.h"

__global__ void shared_kernel(int* counts, float* sums, int* largest) {
  __shared__ int bins[5];
  __shared__ float sum;
  __shared__ unsigned long long packed;
  const int i = threadIdx.x, n = blockDim.x;
  for (int round = 0; round < 2; ++round) {
    if (i < 5) bins[i] = 0;
    if (i == 0) sum = 0, packed = 0;
    __syncthreads();
    atomicAdd(&bins[(i + round) % 5], 1 + round);
    atomicAdd(&sum, 0.25f);
    atomicMax(&packed,
              (static_cast<unsigned long long>(i * 7 % n) << 32) | static_cast<unsigned>(i));
    __syncthreads();
    if (i < 5) counts[5 * round + i] = bins[i];
    if (i == 0) sums[round] = sum, largest[round] = static_cast<int>(packed & 0xffffffff);
    __syncthreads();
  }
}

int main() {
  DeviceArray<int> counts(10), largest(2);
  DeviceArray<float> sums(2);
  shared_kernel<<<1, 97>>>(counts.data(), sums.data(), largest.data());
  CHECK_LAUNCH();
  show("counts", counts.host());
  show("sums", sums.host());
  show("index of the largest", largest.host());
}

/* Prints:
counts: 20 20 19 19 19 38 40 40 38 38
sums: 24.25 24.25
index of the largest: 83 83
*/
