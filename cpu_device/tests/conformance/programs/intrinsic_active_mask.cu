// SPDX-License-Identifier: MIT
// __activemask where all lanes of a warp are together: full warps, a short one, after an early
// return.
#include "../check.h"

__global__ void mask_kernel(unsigned* out) {
  out[threadIdx.x] = __activemask();
}

__global__ void after_return_kernel(unsigned* out) {
  if (threadIdx.x % 32 >= 8) return;
  __syncwarp(0xff);
  out[threadIdx.x] = __activemask();
}

int main() {
  DeviceArray<unsigned> out(72);
  mask_kernel<<<1, 69>>>(out.data());
  std::vector<unsigned> host = out.host();
  std::printf("%08x %08x %08x %08x %08x\n", host[0], host[31], host[32], host[64], host[68]);
  mask_kernel<<<1, 1>>>(out.data());
  std::printf("%08x\n", out.host()[0]);
  after_return_kernel<<<1, 64>>>(out.data());
  host = out.host();
  std::printf("%08x %08x\n", host[0], host[39]);
}

/* Prints:
ffffffff ffffffff ffffffff 0000001f 0000001f
00000001
000000ff 000000ff
*/
