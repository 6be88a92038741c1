// SPDX-License-Identifier: MIT
// Warp functions of parts of a warp: in branches, after exits, in a short last warp.
#include "../check.h"

__global__ void parts_kernel(int* out) {
  const int t = threadIdx.x, lane = t % 32;
  if (t >= 76) return;
  const unsigned mask = t < 64 ? 0xffffffffu : 0x00000fffu;
  int value = __shfl_xor_sync(mask, t, 1);
  if (lane < 4) {
    value += 100 * __shfl_sync(0x0000000f, value, 3);
    __syncwarp(0x0000000f);
  } else if (lane < 12) {
    value += 100 * (__ballot_sync(0x00000ff0, lane % 2) >> 4);
  }
  __syncthreads();
  out[t] = value + (__any_sync(mask, lane == 11) ? 1000000 : 0);
}

int main() {
  DeviceArray<int> out(76);
  parts_kernel<<<1, 96>>>(out.data());
  CHECK_LAUNCH();
  const std::vector<int> got = out.host();
  show("some", got[0], got[3], got[4], got[12], got[64], got[75]);
}

/* Prints:
some: 1000201 1000202 1017005 1000013 1006665 1017074
*/
