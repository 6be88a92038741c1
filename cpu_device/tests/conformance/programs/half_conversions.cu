// SPDX-License-Identifier: MIT
// float and integers to half with each rounding, ties, overflow, subnormal numbers; and back.
#include <cuda_fp16.h>

#include <cmath>

#include "../check.h"

__global__ void to_half_kernel(const float* in, unsigned* out) {
  const float x = in[threadIdx.x];
  unsigned* mine = out + 5 * threadIdx.x;
  mine[0] = __half_as_ushort(__float2half(x));
  mine[1] = __half_as_ushort(__float2half_rn(x));
  mine[2] = __half_as_ushort(__float2half_rz(x));
  mine[3] = __half_as_ushort(__float2half_ru(x));
  mine[4] = __half_as_ushort(__float2half_rd(x));
}

__global__ void others_kernel(unsigned* out) {
  int k = 0;
  out[k++] = __half_as_ushort(__double2half(1.0 + 0x1p-11 + 0x1p-40));  // not through float
  out[k++] = __half_as_ushort(__int2half_rn(2049));
  out[k++] = __half_as_ushort(__int2half_ru(2049));
  out[k++] = __half_as_ushort(__uint2half_rz(70000u));
  out[k++] = __half_as_ushort(__short2half_rn(-5));
  out[k++] = __half2int_rn(__float2half(2.5f));
  out[k++] = __half2int_rz(__float2half(-2.75f));
  out[k++] = __half2int_ru(__float2half(2.25f));
  out[k++] = __half2int_rd(__float2half(-2.25f));
  out[k++] = __half2uint_rn(__float2half(65504.0f));
  out[k++] = __half2ushort_rz(__float2half(7.9f));
  out[k++] = __float_as_uint(__half2float(__ushort_as_half(0x0001)));
  out[k++] = __float_as_uint(__half2float(__ushort_as_half(0xfc00)));
  out[k++] = __half_as_short(__short_as_half(-1)) == -1;
  const half constructed = 0.333f;
  const __half copied(constructed);
  out[k++] = __half_as_ushort(copied);
  out[k++] = static_cast<int>(static_cast<float>(half(3.75f)) * 4);
}

int main() {
  const std::vector<float> in = {
      1.0f,     1 + 0x1p-11f, 1 + 3 * 0x1p-11f, -1 - 0x1p-12f, 65504.0f, 65519.0f, 65520.0f, -1e6f,
      0x1p-24f, 0x1p-25f,     0x1.8p-25f,       -0x1.004p-14f, -0.0f,    0.1f,     INFINITY};
  DeviceArray<float> d_in(in);
  DeviceArray<unsigned> out(5 * in.size()), others(16);
  to_half_kernel<<<1, in.size()>>>(d_in.data(), out.data());
  others_kernel<<<1, 1>>>(others.data());
  CHECK_LAUNCH();
  const std::vector<unsigned> device = out.host();
  for (size_t i = 0; i < in.size(); ++i) {
    std::printf("%.8g:", in[i]);
    for (int k = 0; k < 5; ++k) std::printf(" %04x", device[5 * i + k]);
    std::printf("\n");
    const unsigned host = __half_as_ushort(__float2half(in[i]));
    if (host != device[5 * i]) std::printf("on the host: %04x\n", host);
  }
  for (unsigned value : others.host()) std::printf("%x\n", value);
}

/* Prints:
1: 3c00 3c00 3c00 3c00 3c00
1.0004883: 3c00 3c00 3c00 3c01 3c00
1.0014648: 3c02 3c02 3c01 3c02 3c01
-1.0002441: bc00 bc00 bc00 bc00 bc01
65504: 7bff 7bff 7bff 7bff 7bff
65519: 7bff 7bff 7bff 7c00 7bff
65520: 7c00 7c00 7bff 7c00 7bff
-1000000: fc00 fc00 fbff fbff fc00
5.9604645e-08: 0001 0001 0001 0001 0001
2.9802322e-08: 0000 0000 0000 0001 0000
4.4703484e-08: 0001 0001 0000 0001 0000
-6.1094761e-05: 8401 8401 8401 8401 8401
-0: 8000 8000 8000 8000 8000
0.1: 2e66 2e66 2e66 2e67 2e66
inf: 7c00 7c00 7c00 7c00 7c00
3c01
6800
6801
7bff
c500
2
fffffffe
3
fffffffd
ffe0
7
33800000
ff800000
1
3554
f
*/
