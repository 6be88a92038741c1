// SPDX-License-Identifier: MIT
// High halves of products, 24-bit products, sums of differences, averages without overflow.
#include "../check.h"

__global__ void integers_kernel(long long* out, int a, int b, unsigned u, unsigned v) {
  int k = 0;
  out[k++] = __mulhi(a, b);
  out[k++] = __mulhi(-a, b);
  out[k++] = __umulhi(u, v);
  out[k++] = __mul64hi(static_cast<long long>(a) << 32, static_cast<long long>(b) << 32);
  out[k++] = __mul64hi(-1ll, 1ll);
  out[k++] = __umul64hi(static_cast<unsigned long long>(u) << 32, static_cast<unsigned long long>(v)
                                                                      << 32);
  out[k++] = __mul24(-3, 8388607);
  out[k++] = __umul24(0x01000003u, 5u);
  out[k++] = __sad(a, -b, 10u);
  out[k++] = __usad(u, v, 1u);
  out[k++] = __hadd(2147483647, 2147483645);
  out[k++] = __hadd(-3, -4);
  out[k++] = __rhadd(2147483647, 2147483646);
  out[k++] = __rhadd(-3, -4);
  out[k++] = __uhadd(4294967295u, 4294967292u);
  out[k++] = __urhadd(4294967295u, 4294967292u);
}

int main() {
  DeviceArray<long long> out(16);
  integers_kernel<<<1, 1>>>(out.data(), 1000000007, 998244353, 4000000000u, 3999999999u);
  CHECK_LAUNCH();
  for (long long value : out.host()) std::printf("%lld\n", value);
}

/* Prints:
232421876
-232421877
3725290297
998244359987710471
-1
-2446744077709551616
-25165821
15
1998244370
2
2147483646
-4
2147483647
-3
4294967293
4294967294
*/
