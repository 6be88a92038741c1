// SPDX-License-Identifier: MIT
// half in kernels: functions, operators, comparisons, rounding of each result.
#include <cuda_fp16.h>

#include "../check.h"

__device__ unsigned bits(half x) {
  return __half_as_ushort(x);
}

__global__ void arithmetic_kernel(float x, float y, unsigned* out) {
  const half a = __float2half(x), b = __float2half(y);
  int k = 0;
  out[k++] = bits(__hadd(a, b));
  out[k++] = bits(__hsub(a, b));
  out[k++] = bits(__hmul(a, b));
  out[k++] = bits(__hdiv(a, b));
  out[k++] = bits(__hfma(a, b, a));
  out[k++] = bits(__hneg(a));
  out[k++] = bits(__habs(__hneg(b)));
  out[k++] = bits(__hmax(a, b));
  out[k++] = bits(__hmin(a, b));
  out[k++] = bits(a + b * a - b / a);
  half sum = a;
  sum += b;
  sum *= a;
  sum -= __float2half(1.0f);
  sum /= b;
  ++sum;
  out[k++] = bits(sum);
  out[k++] = bits(-sum);
  out[k++] = 100000 * (a < b) + 10000 * (a <= b) + 1000 * (a > b) + 100 * (a >= b) + 10 * (a == b) +
             (a != b);
  out[k++] = 1000 * __hlt(a, b) + 100 * __hge(a, b) + 10 * __heq(a, a) + __hne(a, a);
  const half nan = __ushort_as_half(0x7e00);
  out[k++] =
      1000 * __hisnan(nan) + 100 * __heq(nan, nan) + 10 * __hneu(nan, nan) + (__hisinf(a) != 0);
  out[k++] = bits(hsqrt(__float2half(2.25f)));
  out[k++] = bits(hfloor(a)) + bits(hceil(a));
  out[k++] = bits(htrunc(b));
  out[k++] = bits(__hadd_sat(a, b));
}

__global__ void overflow_kernel(unsigned* out) {
  const half largest = __float2half(65504.0f), one = __float2half(1.0f);
  out[0] = bits(largest + one);
  out[1] = bits(largest + largest);
  out[2] = bits(__float2half(2048.0f) + one);  // a tie: to even
  out[3] = bits(__ushort_as_half(1) * __float2half(0.5f));
  out[4] = bits(__float2half(3.0f) / __float2half(0.0f));
}

int main() {
  DeviceArray<unsigned> out(19), edges(5);
  arithmetic_kernel<<<1, 1>>>(1.5f, 0.3f, out.data());
  overflow_kernel<<<1, 1>>>(edges.data());
  CHECK_LAUNCH();
  const std::vector<unsigned> host = out.host();
  for (int k = 0; k < 19; ++k) std::printf(k >= 12 && k < 15 ? "%u\n" : "%04x\n", host[k]);
  for (unsigned value : edges.host()) std::printf("%04x\n", value);
}

/* Prints:
3f33
3ccd
3734
4500
3fcd
be00
34cd
3e00
34cd
3f00
46aa
c6aa
1101
110
1010
3e00
7c00
0000
3c00
7bff
7c00
6800
0000
7c00
*/
