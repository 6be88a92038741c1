// SPDX-License-Identifier: MIT
// Counting, finding and reversing bits, 32 and 64 bits wide, at their edges.
#include "../check.h"

__global__ void bits_kernel(const unsigned* words, int* out) {
  const int i = threadIdx.x;
  const unsigned x = words[i];
  const unsigned long long wide = static_cast<unsigned long long>(x) << 20;
  int* mine = out + 8 * i;
  mine[0] = __popc(x);
  mine[1] = __clz(x);
  mine[2] = __ffs(x);
  mine[3] = __brev(x);
  mine[4] = __popcll(wide | 1);
  mine[5] = __clzll(wide);
  mine[6] = __ffsll(wide);
  mine[7] = static_cast<int>(__brevll(wide) >> 12);
}

int main() {
  const std::vector<unsigned> words = {0u, 1u, 0x80000000u, 0x00ff0180u, 0xffffffffu};
  DeviceArray<unsigned> in(words);
  DeviceArray<int> out(8 * words.size());
  bits_kernel<<<1, words.size()>>>(in.data(), out.data());
  CHECK_LAUNCH();
  const std::vector<int> host = out.host();
  for (size_t i = 0; i < words.size(); ++i) {
    std::printf("%08x:", words[i]);
    for (int k = 0; k < 8; ++k) std::printf(k % 4 == 3 ? " %08x" : " %d", host[8 * i + k]);
    std::printf("\n");
  }
}

/* Prints:
00000000: 0 32 0 00000000 1 64 0 00000000
00000001: 1 31 1 80000000 2 43 21 80000000
80000000: 1 0 32 00000001 2 12 52 00000001
00ff0180: 10 8 8 0180ff00 11 20 28 0180ff00
ffffffff: 32 0 1 ffffffff 33 12 21 ffffffff
*/
