// SPDX-License-Identifier: MIT
// __managed__ variables are used by name on both sides.
#include "../check.h"

__managed__ int shared_count = 3;
__device__ __managed__ double samples[4];

__global__ void update_kernel() {
  atomicAdd(&shared_count, 2);
  samples[threadIdx.x] += threadIdx.x * 0.5;
}

int main() {
  for (int i = 0; i < 4; ++i) samples[i] = 10.0 * i;
  update_kernel<<<1, 4>>>();
  CHECK_LAUNCH();
  show("count", shared_count);
  show("samples", samples[0], samples[1], samples[2], samples[3]);
  shared_count = -8;
  samples[3] = 0;
  update_kernel<<<1, 4>>>();
  CHECK_LAUNCH();
  show("count", shared_count);
  show("samples", samples[0], samples[1], samples[2], samples[3]);
}

/* Prints:
count: 11
samples: 0 10.5 21 31.5
count: 0
samples: 0 11 22 1.5
*/
