// SPDX-License-Identifier: MIT
// __match_any_sync and __match_all_sync on 32-bit, 64-bit and floating-point values.
#include "../check.h"

__global__ void match_kernel(unsigned* out) {
  const int lane = threadIdx.x;
  unsigned* mine = out + 6 * lane;
  int same = 0, different = 0;
  mine[0] = __match_any_sync(0xffffffff, lane % 3);
  mine[1] = __match_any_sync(0xffffffff, static_cast<unsigned long long>(lane / 8) << 40);
  mine[2] = __match_any_sync(0xffffffff, lane < 4 ? -1.5f : 2.5f);
  mine[3] = __match_all_sync(0xffffffff, 1234567890123ll, &same);
  mine[4] = __match_all_sync(0xffffffff, lane == 31, &different);
  mine[5] = 10 * (same != 0) + (different != 0);
  if (lane < 4) mine[2] ^= __match_any_sync(0xf, lane / 2);
}

int main() {
  DeviceArray<unsigned> out(6 * 32);
  match_kernel<<<1, 32>>>(out.data());
  CHECK_LAUNCH();
  const std::vector<unsigned> host = out.host();
  for (int lane : {0, 1, 2, 13, 31}) {
    const unsigned* mine = &host[6 * lane];
    std::printf("lane %d: %08x %08x %08x %08x %08x %u\n", lane, mine[0], mine[1], mine[2], mine[3],
                mine[4], mine[5]);
  }
}

/* Prints:
lane 0: 49249249 000000ff 0000000c ffffffff 00000000 10
lane 1: 92492492 000000ff 0000000c ffffffff 00000000 10
lane 2: 24924924 000000ff 00000003 ffffffff 00000000 10
lane 13: 92492492 0000ff00 fffffff0 ffffffff 00000000 10
lane 31: 92492492 ff000000 fffffff0 ffffffff 00000000 10
*/
