// SPDX-License-Identifier: MIT
// half2: both halves at once, conversions, comparisons, loads through pointers, shuffles.
#include <cuda_fp16.h>

#include "../check.h"

__device__ void store(float* out, half2 pair) {
  out[0] = __low2float(pair);
  out[1] = __high2float(pair);
}

__global__ void pairs_kernel(const half* in, float* out) {
  const half2 a = __floats2half2_rn(1.5f, -2.0f), b = __half2half2(__float2half(0.5f));
  store(out + 0, __hadd2(a, b));
  store(out + 2, __hsub2(a, b));
  store(out + 4, __hmul2(a, b));
  store(out + 6, __hfma2(a, b, a));
  store(out + 8, __h2div(a, b));
  store(out + 10, a * b + a);
  store(out + 12, reinterpret_cast<const half2*>(in)[1]);
  store(out + 14, __lowhigh2highlow(a));
  store(out + 16, __halves2half2(__high2half(a), __low2half(b)));
  store(out + 18, make_half2(__float2half(7.0f), __float2half(8.0f)));
  const float2 both = __half22float2(__float22half2_rn(make_float2(0.25f, 0.125f)));
  out[20] = both.x;
  out[21] = both.y;
  store(out + 22, __hmax2(a, b));
  store(out + 24, __hgt2(a, b));
  out[26] = __hbgt2(a, b);
  out[27] = __hblt2(__hneg2(a), __float2half2_rn(3.0f));
  store(out + 28, __low2half2(a));
  store(out + 30, __habs2(a));
  out[32] = __low2float(h2sqrt(__float2half2_rn(6.25f)));
  out[33] = sizeof(half2) * 10 + alignof(half2);
}

__global__ void shuffle_kernel(float* out) {
  const int lane = threadIdx.x;
  half single = __int2half_rn(lane);
  half2 pair = __floats2half2_rn(lane, -lane);
  single = __shfl_xor_sync(0xffffffff, single, 1);
  pair = __shfl_down_sync(0xffffffff, pair, 4);
  out[lane] = __half2float(single) + 100 * __low2float(pair) + 10 * __high2float(pair);
}

int main() {
  DeviceArray<half> in({1.0f, 2.0f, 3.0f, 4.0f});
  DeviceArray<float> out(34), shuffled(32);
  pairs_kernel<<<1, 1>>>(in.data(), out.data());
  shuffle_kernel<<<1, 32>>>(shuffled.data());
  CHECK_LAUNCH();
  const std::vector<float> host = out.host();
  for (int i = 0; i < 34; i += 2) std::printf("%g %g\n", host[i], host[i + 1]);
  const std::vector<float> lanes = shuffled.host();
  show("shuffled", lanes[0], lanes[1], lanes[27], lanes[31]);
}

/* Prints:
2 -1.5
1 -2.5
0.75 -1
2.25 -3
3 -4
2.25 -3
3 4
-2 1.5
-2 0.5
7 8
0.25 0.125
1.5 0.5
1 0
0 1
1.5 1.5
1.5 2
2.5 44
shuffled: 361 450 2816 2820
*/
