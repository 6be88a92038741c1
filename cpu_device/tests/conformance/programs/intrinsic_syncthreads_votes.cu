// SPDX-License-Identifier: MIT
// __syncthreads_count, _and, _or: block-wide, any non-zero value counts, also over a partial warp.
#include "../check.h"

__global__ void votes_kernel(int* out) {
  const int i = threadIdx.x, block = blockIdx.x;
  int* mine = out + 6 * block;
  const int thirds = __syncthreads_count(i % 3 == 0);
  const int bit = __syncthreads_count(i & 4);
  const int all = __syncthreads_and(i < 70 - block) != 0;
  const int all_bits = __syncthreads_and(i + 8) != 0;
  const int some = __syncthreads_or(i == 60 + 5 * block) != 0;
  const int none = __syncthreads_or(0) != 0;
  if (i != 33) return;
  mine[0] = thirds;
  mine[1] = bit;
  mine[2] = all;
  mine[3] = all_bits;
  mine[4] = some;
  mine[5] = none;
}

int main() {
  DeviceArray<int> out(18);
  votes_kernel<<<3, 70>>>(out.data());
  CHECK_LAUNCH();
  const std::vector<int> host = out.host();
  for (int b = 0; b < 3; ++b) show("block", std::vector<int>(&host[6 * b], &host[6 * b] + 6));
}

/* Prints:
block: 24 34 1 1 1 0
block: 24 34 0 1 1 0
block: 24 34 0 1 0 0
*/
