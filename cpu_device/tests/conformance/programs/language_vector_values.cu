// SPDX-License-Identifier: MIT
// make_* functions, members, copies, and loads of four elements at once.
#include "../check.h"

__device__ float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__global__ void add_kernel(const float* a, const float* b, float* sum) {
  const float4* a4 = reinterpret_cast<const float4*>(a);
  const float4 b4 = reinterpret_cast<const float4*>(b)[threadIdx.x];
  reinterpret_cast<float4*>(sum)[threadIdx.x] = a4[threadIdx.x] + b4;
}

__global__ void members_kernel(int* out) {
  int2 pair = make_int2(1, 2);
  uchar4 bytes = make_uchar4(250, 251, 252, 253);
  short3 shorts = make_short3(-1, -2, -3);
  ulonglong2 wide = make_ulonglong2(1ull << 40, 3);
  double3 reals{0.5, 1.5, 2.5};
  longlong1 one = make_longlong1(-9);
  pair.x += bytes.w;
  bytes.x += 10;
  out[0] = pair.x;
  out[1] = bytes.x;
  out[2] = shorts.x + shorts.y + shorts.z;
  out[3] = static_cast<int>(wide.x >> 38) + static_cast<int>(wide.y);
  out[4] = static_cast<int>(reals.x + reals.y + reals.z);
  out[5] = static_cast<int>(one.x);
  const int4 copy = *reinterpret_cast<int4*>(out);
  out[6] = copy.x + copy.y + copy.z + copy.w;
}

int main() {
  DeviceArray<float> a({1, 2, 3, 4, 5, 6, 7, 8}), b({10, 20, 30, 40, 50, 60, 70, 80}), sum(8);
  add_kernel<<<1, 2>>>(a.data(), b.data(), sum.data());
  CHECK_LAUNCH();
  show("sum", sum.host());
  DeviceArray<int> out(7);
  members_kernel<<<1, 1>>>(out.data());
  CHECK_LAUNCH();
  show("members", out.host());
  const uint3 host = make_uint3(1, 2, 3);
  const dim3 from = host;
  show("host", host.x, host.y, host.z, from.x, from.y, from.z);
}

/* Prints:
sum: 11 22 33 44 55 66 77 88
members: 254 4 -6 7 4 -9 259
host: 1 2 3 1 2 3
*/
