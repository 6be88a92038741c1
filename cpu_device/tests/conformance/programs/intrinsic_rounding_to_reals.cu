// SPDX-License-Identifier: MIT
// Conversions to float and double with each rounding, shown as bits above a known number.
#include "../check.h"

__device__ int above(float x, float base) {
  return __float_as_int(x) - __float_as_int(base);
}

__global__ void to_reals_kernel(int i, unsigned u, long long l, unsigned long long ul, double d,
                                int* out) {
  int k = 0;
  out[k++] = above(__int2float_rn(i), 16777216.0f);
  out[k++] = above(__int2float_rz(i), 16777216.0f);
  out[k++] = above(__int2float_ru(i), 16777216.0f);
  out[k++] = above(__int2float_rd(i), 16777216.0f);
  out[k++] = above(__int2float_rd(-i), -16777216.0f);
  out[k++] = above(__uint2float_rn(u), 4294967296.0f);
  out[k++] = above(__uint2float_rz(u), 4294967296.0f);
  out[k++] = above(__uint2float_ru(u), 4294967296.0f);
  out[k++] = above(__ll2float_rn(l), 1099511627776.0f);
  out[k++] = above(__ll2float_ru(l), 1099511627776.0f);
  out[k++] = above(__ull2float_rn(ul), 18446744073709551616.0f);
  out[k++] = above(__ull2float_rd(ul), 18446744073709551616.0f);
  out[k++] = above(__double2float_rn(d), 1.0f);
  out[k++] = above(__double2float_rz(d), 1.0f);
  out[k++] = above(__double2float_ru(d), 1.0f);
  out[k++] = above(__double2float_rd(-d), -1.0f);
  out[k++] = __ll2double_rn(9007199254740993ll) == 9007199254740992.0;
  out[k++] = __ll2double_ru(9007199254740993ll) == 9007199254740994.0;
  out[k++] = __ull2double_rz(18446744073709551615ull) == 18446744073709549568.0;
  out[k++] = __int2double_rn(i) == 16777217.0;
  out[k++] = __uint2double_rn(u) == 4294967295.0;
}

int main() {
  DeviceArray<int> out(21);
  to_reals_kernel<<<1, 1>>>(16777217, 4294967295u, (1ll << 40) + 1, ~0ull, 1.0 + 1e-9, out.data());
  CHECK_LAUNCH();
  show("steps", out.host());
}

/* Prints:
steps: 0 0 1 0 1 0 -1 0 0 1 0 -1 0 0 1 1 1 1 1 1 1
*/
