// SPDX-License-Identifier: MIT
// __reduce_*_sync (compute capability 8.0): one call reduces a warp.
#include "../check.h"

__global__ void reduce_kernel(unsigned* u, int* s) {
  const int lane = threadIdx.x;
  const unsigned reduced[6] = {__reduce_add_sync(0xffffffff, static_cast<unsigned>(lane)),
                               __reduce_min_sync(0xffffffff, 100u - lane),
                               __reduce_max_sync(0xffffffff, 100u + lane),
                               __reduce_and_sync(0xffffffff, 0xf0f0u | lane),
                               __reduce_or_sync(0xffffffff, 1u << lane),
                               __reduce_xor_sync(0xffffffff, 3u * lane)};
  const int with_sign[3] = {__reduce_add_sync(0xffffffff, -lane),
                            __reduce_min_sync(0xffffffff, 5 - lane),
                            __reduce_max_sync(0xffffffff, -7 - lane)};
  if (lane < 6) u[lane] = reduced[lane];
  if (lane < 3) s[lane] = with_sign[lane];
  if (lane >= 4) return;
  const int four = __reduce_add_sync(0xf, lane + 1);
  if (lane == 3) s[3] = four;
}

int main() {
  DeviceArray<unsigned> u(6);
  DeviceArray<int> s(4);
  reduce_kernel<<<1, 32>>>(u.data(), s.data());
  CHECK_LAUNCH();
  show("unsigned", u.host());
  show("signed", s.host());
}

/* Prints:
unsigned: 496 69 131 61680 4294967295 32
signed: -496 -26 -7 10
*/
