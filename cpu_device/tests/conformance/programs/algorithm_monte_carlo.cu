// SPDX-License-Identifier: MIT
// Pi by points from a generator of whole numbers: the count is the same everywhere.
#include "../check.h"

__host__ __device__ int hits_of(unsigned seed, int points) {
  unsigned state = seed * 747796405u + 2891336453u;
  int hits = 0;
  for (int i = 0; i < points; ++i) {
    state = state * 1664525u + 1013904223u;
    const unsigned x = state >> 16;
    state = state * 1664525u + 1013904223u;
    const unsigned y = state >> 16;
    hits += static_cast<unsigned long long>(x) * x + static_cast<unsigned long long>(y) * y <
            (1ull << 32);
  }
  return hits;
}

__global__ void points_kernel(int points, unsigned* total) {
  const int hits = hits_of(blockIdx.x * blockDim.x + threadIdx.x, points);
  const unsigned mask = 0xffffffff;
  unsigned sum = hits;
  for (int by = 16; by > 0; by /= 2) sum += __shfl_xor_sync(mask, sum, by);
  if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
}

int main() {
  const int points = 200, blocks = 10, threads = 128;
  DeviceArray<unsigned> total(1);
  points_kernel<<<blocks, threads>>>(points, total.data());
  CHECK_LAUNCH();
  unsigned expected = 0;
  for (int t = 0; t < blocks * threads; ++t) expected += hits_of(t, points);
  const unsigned got = total.host()[0];
  expect("hits", got == expected);
  std::printf("pi is about %.1f\n", 4.0 * got / (points * blocks * threads));
}

/* Prints:
hits: ok
pi is about 3.1
*/
