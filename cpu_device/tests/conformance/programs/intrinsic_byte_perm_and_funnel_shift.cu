// SPDX-License-Identifier: MIT
// __byte_perm selects bytes of two words; funnel shifts shift a pair of words, wrapping or clamped.
#include "../check.h"

__global__ void words_kernel(unsigned* out) {
  const unsigned low = 0x33221100u, high = 0x77665544u;
  int k = 0;
  out[k++] = __byte_perm(low, high, 0x3210);
  out[k++] = __byte_perm(low, high, 0x7531);
  out[k++] = __byte_perm(low, high, 0x0123);
  out[k++] = __byte_perm(low, high, 0x4444);
  out[k++] = __byte_perm(low, 0, 0x4321);
  out[k++] = __funnelshift_l(low, high, 8);
  out[k++] = __funnelshift_r(low, high, 8);
  out[k++] = __funnelshift_l(low, high, 0);
  out[k++] = __funnelshift_r(low, high, 0);
  out[k++] = __funnelshift_l(low, high, 36);
  out[k++] = __funnelshift_r(low, high, 36);
  out[k++] = __funnelshift_lc(low, high, 36);
  out[k++] = __funnelshift_rc(low, high, 36);
  out[k++] = __funnelshift_lc(low, high, 4);
  out[k++] = __funnelshift_rc(low, high, 32);
}

int main() {
  DeviceArray<unsigned> out(15);
  words_kernel<<<1, 1>>>(out.data());
  CHECK_LAUNCH();
  for (unsigned value : out.host()) std::printf("%08x\n", value);
}

/* Prints:
33221100
77553311
00112233
44444444
00332211
66554433
44332211
77665544
33221100
76655443
43322110
33221100
77665544
76655443
77665544
*/
