// SPDX-License-Identifier: MIT
// __syncwarp orders shared memory within a warp, for the whole warp and for a part of it.
#include "../check.h"

__global__ void reverse_kernel(int* data) {
  __shared__ int slots[64];
  const int i = threadIdx.x, base = i & ~31, lane = i & 31;
  slots[i] = data[i];
  __syncwarp();
  int value = slots[base + 31 - lane];
  __syncwarp();
  if (lane < 16) {
    slots[i] = value;
    __syncwarp(0x0000ffff);
    value = slots[base + (lane ^ 1)];
  } else {
    slots[i] = 1000 + value;
    __syncwarp(0xffff0000);
    value = slots[base + (lane ^ 2)];
  }
  data[i] = value;
}

int main() {
  std::vector<int> values(64);
  for (int i = 0; i < 64; ++i) values[i] = i;
  DeviceArray<int> data(values);
  reverse_kernel<<<1, 64>>>(data.data());
  CHECK_LAUNCH();
  const std::vector<int> host = data.host();
  int wrong = 0;
  for (int i = 0; i < 64; ++i) {
    const int lane = i & 31, from = lane < 16 ? lane ^ 1 : lane ^ 2;
    wrong += host[i] != (i & ~31) + 31 - from + (lane < 16 ? 0 : 1000);
  }
  show("wrong", wrong);
  show("some", host[0], host[1], host[16], host[31], host[32], host[63]);
}

/* Prints:
wrong: 0
some: 30 31 1013 1002 62 1034
*/
