// SPDX-License-Identifier: MIT
// Conversions to integers with each rounding; what is out of range saturates, a float's NaN becomes
// 0.
#include <cmath>

#include "../check.h"

__global__ void to_integers_kernel(const float* in, int* out) {
  const float x = in[threadIdx.x];
  const double d = x;
  int* mine = out + 10 * threadIdx.x;
  mine[0] = __float2int_rn(x);
  mine[1] = __float2int_rz(x);
  mine[2] = __float2int_ru(x);
  mine[3] = __float2int_rd(x);
  mine[4] = __double2int_rn(d);
  mine[5] = __double2int_rz(d);
  mine[6] = __double2int_ru(d);
  mine[7] = __double2int_rd(d);
  mine[8] = static_cast<int>(x);
  mine[9] = static_cast<int>(rintf(x));
}

__global__ void edges_kernel(long long* out) {
  out[0] = __float2int_rn(3e9f);
  out[1] = __float2int_rz(-3e9f);
  out[2] = __float2uint_rn(5e9f);
  out[3] = __float2uint_rd(-1.0f);
  out[4] = __double2uint_rz(4294967295.9);
  out[5] = __float2ll_rn(1099511627776.0f);
  out[6] = __float2ll_rz(1e30f);
  out[7] = __double2ll_rn(4503599627370496.5);
  out[8] = __double2ll_ru(-4503599627370495.5);
  out[9] = __double2ll_rd(-0.25);
  out[10] = static_cast<long long>(__double2ull_rz(18446744073709549568.0) >> 11);
  out[11] = static_cast<long long>(__float2ull_rn(-5.0f));
  out[12] = __float2int_rn(nanf(""));
}

int main() {
  DeviceArray<float> in({2.5f, 3.5f, -2.5f, -0.75f, 1.25f});
  DeviceArray<int> out(50);
  DeviceArray<long long> edges(13);
  to_integers_kernel<<<1, 5>>>(in.data(), out.data());
  edges_kernel<<<1, 1>>>(edges.data());
  CHECK_LAUNCH();
  const std::vector<float> x = in.host();
  const std::vector<int> host = out.host();
  for (int i = 0; i < 5; ++i) {
    std::printf("%g:", x[i]);
    for (int k = 0; k < 10; ++k) print(host[10 * i + k]);
    std::printf("\n");
  }
  for (long long value : edges.host()) std::printf("%lld\n", value);
}

/* Prints:
2.5: 2 2 3 2 2 2 3 2 2 2
3.5: 4 3 4 3 4 3 4 3 3 4
-2.5: -2 -2 -2 -3 -2 -2 -2 -3 -2 -2
-0.75: -1 0 0 -1 -1 0 0 -1 0 -1
1.25: 1 1 2 1 1 1 2 1 1 1
2147483647
-2147483648
4294967295
0
4294967295
1099511627776
9223372036854775807
4503599627370496
-4503599627370495
-1
9007199254740991
0
0
*/
