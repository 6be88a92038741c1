// SPDX-License-Identifier: MIT
// The _block and _system forms of the atomics.
#include "../check.h"

__global__ void scopes_kernel(int* out, unsigned* u, unsigned long long* wide, float* real) {
  __shared__ int local;
  if (threadIdx.x == 0) local = 0;
  __syncthreads();
  const int i = threadIdx.x;
  atomicAdd_block(&local, 1);
  atomicAdd_system(&out[0], 1);
  atomicSub_system(&out[1], 2);
  atomicMax_system(&out[2], i);
  atomicMin_system(&out[3], -i);
  atomicExch_system(&out[4], 77);
  atomicCAS_system(&out[5], 0, 55);
  atomicOr_system(&u[0], 1u << (i % 32));
  atomicAnd_system(&u[1], ~2u);
  atomicXor_system(&u[2], 8u);
  atomicInc_system(&u[3], 1000u);
  atomicDec_system(&u[4], 1000u);
  atomicAdd_system(wide, 1ull << 35);
  atomicAdd_system(real, 0.5f);
  __syncthreads();
  atomicMax_block(&local, 3);
  atomicMin_block(&local, 1000);
  atomicOr_block(&local, 256);
  atomicAnd_block(&local, ~1);
  __syncthreads();
  if (i == 0) out[6 + blockIdx.x] = local;
}

int main() {
  DeviceArray<int> out(8);
  DeviceArray<unsigned> u({0, 15, 1, 0, 500});
  DeviceArray<unsigned long long> wide(1);
  DeviceArray<float> real(1);
  scopes_kernel<<<2, 65>>>(out.data(), u.data(), wide.data(), real.data());
  CHECK_LAUNCH();
  show("int", out.host());
  show("unsigned", u.host());
  show("wide", wide.host()[0] >> 35);
  show("real", real.host());
}

/* Prints:
int: 130 -260 64 -64 77 55 320 320
unsigned: 4294967295 13 1 130 370
wide: 130
real: 65
*/
