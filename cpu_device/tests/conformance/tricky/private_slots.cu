// SPDX-License-Identifier: MIT
// Every thread has slots of its own in shared and global memory and needs no barrier for them.
#include "../check.h"

__global__ void slots_kernel(int* global_slots, int* out) {
  __shared__ int slots[3][64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  for (int k = 0; k < 3; ++k) slots[k][t] = k * t;
  for (int round = 0; round < 4; ++round) {
    slots[round % 3][t] += slots[(round + 1) % 3][t];
    global_slots[i] += slots[round % 3][t];
  }
  out[i] = global_slots[i];
}

int main() {
  DeviceArray<int> slots(128), out(128);
  slots_kernel<<<2, 64>>>(slots.data(), out.data());
  CHECK_LAUNCH();
  show("some", out.host()[1], out.host()[10], out.host()[127]);
}

/* Prints:
some: 11 110 693
*/
