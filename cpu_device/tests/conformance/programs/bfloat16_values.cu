// SPDX-License-Identifier: MIT
// __nv_bfloat16: conversions to nearest even, arithmetic rounded once, comparisons, pairs.
#include <cuda_bf16.h>

#include "../check.h"

__global__ void compute(const float* in, float* out, int* bits) {
  __shared__ __nv_bfloat16 shared[4];
  shared[threadIdx.x] = __float2bfloat16(in[threadIdx.x]);
  __syncthreads();
  const __nv_bfloat16 a = shared[threadIdx.x], b = shared[(threadIdx.x + 1) % 4];
  bits[threadIdx.x] = __bfloat16_as_ushort(a);
  float* mine = out + 4 * threadIdx.x;
  mine[0] = __bfloat162float(a + b);
  mine[1] = __bfloat162float(__hmul(a, b));
  mine[2] = __bfloat162float(__hfma(a, b, a));
  mine[3] = __hgt(a, b) ? __bfloat162float(__hmax(a, b)) : __bfloat162float(__hneg(a));
}

// 1.0078125 * 1.5 is half-way between two: what is added decides, however small.
__global__ void add_once(float* out) {
  const __nv_bfloat16 left(1.0078125f), right(1.5f), tiny(1e-30f);
  out[0] = __bfloat162float(__hfma(left, right, __hneg(tiny)));
  out[1] = __bfloat162float(__hfma(left, right, tiny));
}

__global__ void add_all(__nv_bfloat16* sum, __nv_bfloat162* sums) {
  atomicAdd(sum, __float2bfloat16(0.5f));
  atomicAdd(sums, __floats2bfloat162_rn(1.0f, static_cast<float>(threadIdx.x)));
}

int main() {
  // 1.00390625 is half-way between two: the even one is 1. 1.01171875 goes up to 1.015625.
  DeviceArray<float> in = {1.00390625f, 1.01171875f, -3.0f, 65536.0f}, out(16);
  DeviceArray<int> bits(4);
  compute<<<1, 4>>>(in.data(), out.data(), bits.data());
  CHECK_LAUNCH();
  show("bits", bits.host());
  show("results", out.host());
  const __nv_bfloat162 pair = __floats2bfloat162_rn(0.1f, 2.5f);
  const float2 back = __bfloat1622float2(__hadd2(pair, pair));
  show("pair", back.x, back.y);
  DeviceArray<float> sums(2);
  add_once<<<1, 1>>>(sums.data());
  CHECK_LAUNCH();
  show("once", sums.host());
  DeviceArray<__nv_bfloat16> total(1);
  DeviceArray<__nv_bfloat162> totals(1);
  add_all<<<1, 8>>>(total.data(), totals.data());
  CHECK_LAUNCH();
  const float2 both = __bfloat1622float2(totals.host()[0]);
  show("added", __bfloat162float(total.host()[0]), both.x, both.y);
  show("sizes", static_cast<int>(sizeof(__nv_bfloat16)), static_cast<int>(sizeof pair));
}

/* Prints:
bits: 16256 16258 49216 18304
results: 2.01562 1.01562 2.01562 -1 -1.98438 -3.04688 -2.03125 1.01562 65536 -196608 -196608 3 65536 65536 131072 65536
pair: 0.200195 5
once: 1.50781 1.51562
added: 4 8 28
sizes: 2 4
*/
