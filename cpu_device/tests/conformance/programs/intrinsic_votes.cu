// SPDX-License-Identifier: MIT
// __all_sync, __any_sync and __ballot_sync, of whole warps, parts and branches.
#include "../check.h"

__global__ void votes_kernel(unsigned* out) {
  const unsigned i = threadIdx.x, lane = i % 32, warp = i / 32;
  const unsigned mask = warp < 2 ? 0xffffffffu : 0x3ffu;
  unsigned* mine = out + 8 * warp;
  const unsigned odd = __ballot_sync(mask, i & 1);
  const unsigned large = __ballot_sync(mask, i >= 40);
  const int all = __all_sync(mask, i < 64);
  const int any = __any_sync(mask, i == 5);
  unsigned low = 0, some = 0;
  if (lane < 8) {
    low = __ballot_sync(0xff, lane % 3 == 0);
    some = __any_sync(0xff, lane == 8) ? 1 : 2;
  }
  if (lane != 0) return;
  mine[0] = odd;
  mine[1] = large;
  mine[2] = all != 0;
  mine[3] = any != 0;
  mine[4] = low;
  mine[5] = some;
  mine[6] = __popc(odd);
  mine[7] = __ffs(large);
}

int main() {
  DeviceArray<unsigned> out(24);
  votes_kernel<<<1, 74>>>(out.data());
  CHECK_LAUNCH();
  const std::vector<unsigned> host = out.host();
  for (int w = 0; w < 3; ++w) {
    std::printf("warp %d: %08x %08x all %u any %u low %02x some %u count %u first %u\n", w,
                host[8 * w], host[8 * w + 1], host[8 * w + 2], host[8 * w + 3], host[8 * w + 4],
                host[8 * w + 5], host[8 * w + 6], host[8 * w + 7]);
  }
}

/* Prints:
warp 0: aaaaaaaa 00000000 all 1 any 1 low 49 some 2 count 16 first 0
warp 1: aaaaaaaa ffffff00 all 1 any 0 low 49 some 2 count 16 first 9
warp 2: 000002aa 000003ff all 0 any 0 low 49 some 2 count 5 first 1
*/
