// SPDX-License-Identifier: MIT
// Shuffles of a part of a warp: in both arms of a branch, in a short last warp, in a shrinking
// loop.
#include "../check.h"

__global__ void branches_kernel(int* out) {
  const int lane = threadIdx.x;
  int value = lane;
  if (lane < 16) {
    value = __shfl_xor_sync(0x0000ffff, value, 5);
    value += 100 * __shfl_sync(0x0000ffff, value, 3, 4);
  } else {
    value = __shfl_down_sync(0xffff0000, value, 4, 16);
  }
  out[lane] = value;
}

__global__ void short_warp_kernel(int* out) {
  const int i = threadIdx.x;
  const unsigned mask = i < 32 ? 0xffffffffu : 0xffu;
  int value = i;
  for (int by = 4; by > 0; by /= 2) value += __shfl_xor_sync(mask, value, by);
  out[i] = value;
}

__global__ void shrinking_kernel(int* out) {
  const int lane = threadIdx.x;
  int sum = 0;
  for (int n = 32; n > 0; n /= 2) {
    const unsigned mask = n == 32 ? 0xffffffffu : (1u << n) - 1;
    if (lane < n) sum += __shfl_sync(mask, lane, n - 1);
  }
  out[lane] = sum;
}

int main() {
  DeviceArray<int> out(40);
  branches_kernel<<<1, 32>>>(out.data());
  show("branches", out.host());
  short_warp_kernel<<<1, 40>>>(out.data());
  show("short warp", out.host());
  shrinking_kernel<<<1, 32>>>(out.data());
  show("shrinking", out.host());
}

/* Prints:
branches: 605 604 607 606 201 200 203 202 1413 1412 1415 1414 1009 1008 1011 1010 20 21 22 23 24 25 26 27 28 29 30 31 28 29 30 31 0 0 0 0 0 0 0 0
short warp: 28 28 28 28 28 28 28 28 92 92 92 92 92 92 92 92 156 156 156 156 156 156 156 156 220 220 220 220 220 220 220 220 284 284 284 284 284 284 284 284
shrinking: 57 57 56 56 53 53 53 53 46 46 46 46 46 46 46 46 31 31 31 31 31 31 31 31 31 31 31 31 31 31 31 31 284 284 284 284 284 284 284 284
*/
