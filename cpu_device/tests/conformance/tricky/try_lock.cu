// SPDX-License-Identifier: MIT
// A lock that is only tried: whoever fails goes on without; in a block, one thread wins.
#include "../check.h"

__global__ void elect_kernel(int* locks, int* winner_writes) {
  if (atomicCAS(&locks[blockIdx.x], 0, 1) == 0) {
    winner_writes[2 * blockIdx.x] = 1;  // by one thread only
    winner_writes[2 * blockIdx.x + 1] += 10;
  }
}

int main() {
  DeviceArray<int> locks(6), writes(12);
  elect_kernel<<<6, 100>>>(locks.data(), writes.data());
  CHECK_LAUNCH();
  show("writes", writes.host());
}

/* Prints:
writes: 1 10 1 10 1 10 1 10 1 10 1 10
*/
