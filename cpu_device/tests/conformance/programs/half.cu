// SPDX-License-Identifier: MIT
// Half precision: float16 and bfloat16; and numbers of 8 bits.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cmath>

#include "../check.h"
#include "../parts.h"

// half in kernels: functions, operators, comparisons, rounding of each result.
namespace half_arithmetic {

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

PART(half_arithmetic) {
  DeviceArray<unsigned> out(19), edges(5);
  arithmetic_kernel<<<1, 1>>>(1.5f, 0.3f, out.data());
  overflow_kernel<<<1, 1>>>(edges.data());
  CHECK_LAUNCH();
  const std::vector<unsigned> host = out.host();
  for (int k = 0; k < 19; ++k) std::printf(k >= 12 && k < 15 ? "%u\n" : "%04x\n", host[k]);
  for (unsigned value : edges.host()) std::printf("%04x\n", value);
}

}  // namespace half_arithmetic

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

// float and integers to half with each rounding, ties, overflow, subnormal numbers; and back.
namespace half_conversions {

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

PART(half_conversions) {
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

}  // namespace half_conversions

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

// half on the host: conversions, arithmetic and memory shared with a kernel.
namespace half_host {

__global__ void axpy_kernel(half a, const half* x, half* y) {
  y[threadIdx.x] = __hfma(a, x[threadIdx.x], y[threadIdx.x]);
}

PART(half_host) {
  std::vector<half> x(4), y(4);
  for (int i = 0; i < 4; ++i) {
    x[i] = __float2half(0.25f * i);
    y[i] = __float2half(10.0f);
  }
  DeviceArray<half> d_x(x), d_y(y);
  axpy_kernel<<<1, 4>>>(__float2half(2.0f), d_x.data(), d_y.data());
  CHECK_LAUNCH();
  std::printf("y:");
  for (half value : d_y.host()) print(__half2float(value));
  std::printf("\n");
  const half sum = x[3] + y[0];
  show("host", static_cast<float>(sum), __half2float(x[3] * y[0]), x[1] < x[2], sizeof(half));
}

}  // namespace half_host

/* Prints:
y: 10 10.5 11 11.5
host: 10.75 7.5 1 2
*/

// half2: both halves at once, conversions, comparisons, loads through pointers, shuffles.
namespace half_two {

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

PART(half_two) {
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

}  // namespace half_two

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

// __nv_bfloat16: conversions to nearest even, arithmetic rounded once, comparisons, pairs.
namespace bfloat16_values {

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

PART(bfloat16_values) {
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

}  // namespace bfloat16_values

/* Prints:
bits: 16256 16258 49216 18304
results: 2.01562 1.01562 2.01562 -1 -1.98438 -3.04688 -2.03125 1.01562 65536 -196608 -196608 3 65536 65536 131072 65536
pair: 0.200195 5
once: 1.50781 1.51562
added: 4 8 28
sizes: 2 4
*/

// 8-bit numbers, computed by the host and by a kernel: every value, every half, many floats and
// doubles, in both formats and with both kinds of overflow.
namespace fp8_values {

// What has been added, in any order.
struct Sum {
  unsigned long long bits = 0;
  __host__ __device__ void add(unsigned long long place, unsigned long long value) {
    unsigned long long mixed = (place * 2654435761u + value + 1) * 6364136223846793005u;
    bits += mixed ^ mixed >> 29;
  }
};

template <class T, class Bits>
__host__ __device__ T bits_as(Bits bits) {
  union {
    Bits bits;
    T value;
  } both;
  both.bits = bits;
  return both.value;
}

template <class Fp8>
__host__ __device__ unsigned long long values(unsigned first, unsigned step) {
  Sum sum;
  for (unsigned i = first; i < 256; i += step) {
    Fp8 x;
    x.__x = static_cast<__nv_fp8_storage_t>(i);
    const float value = static_cast<float>(x);
    sum.add(i, bits_as<unsigned>(value));
    sum.add(i, static_cast<__half_raw>(static_cast<__half>(x)).x);
    sum.add(i, static_cast<__nv_bfloat16_raw>(static_cast<__nv_bfloat16>(x)).x);
    sum.add(i, static_cast<bool>(x));
    sum.add(i, Fp8(value).__x);
    sum.add(i, Fp8(static_cast<double>(i)).__x);
    sum.add(i, Fp8(static_cast<int>(i) * 5 - 640).__x);
    if (!(value - value == 0)) continue;
    sum.add(i, static_cast<unsigned>(static_cast<int>(x)));
    sum.add(i, static_cast<unsigned short>(x));
    sum.add(i, static_cast<unsigned char>(x));
    sum.add(i, static_cast<unsigned char>(static_cast<signed char>(x)));
    sum.add(i, static_cast<unsigned long long>(static_cast<long long>(x)));
  }
  return sum.bits;
}

__host__ __device__ unsigned long long conversions(__nv_saturation_t saturation,
                                                   __nv_fp8_interpretation_t kind, unsigned first,
                                                   unsigned step) {
  Sum sum;
  for (unsigned i = first; i < 65536; i += step) {
    const __half_raw half{static_cast<unsigned short>(i)};
    const __nv_bfloat16_raw bfloat{static_cast<unsigned short>(i)};
    sum.add(i, __nv_cvt_halfraw_to_fp8(half, saturation, kind));
    sum.add(i, __nv_cvt_bfloat16raw_to_fp8(bfloat, saturation, kind));
    // Close to ties, too.
    const float x = bits_as<float>(i << 16 | (i * 7 % 3 == 0 ? 0x8000 : i & 1));
    sum.add(i, __nv_cvt_float_to_fp8(x, saturation, kind));
    const unsigned long long exponent = 1000 + i % 42;
    const double y =
        bits_as<double>(exponent << 52 | static_cast<unsigned long long>(i / 42) << 47 | (i & 1));
    sum.add(i, __nv_cvt_double_to_fp8(-y, saturation, kind));
  }
  return sum.bits;
}

__host__ __device__ unsigned long long part(int number, unsigned first, unsigned step) {
  switch (number) {
    case 0:
      return values<__nv_fp8_e4m3>(first, step);
    case 1:
      return values<__nv_fp8_e5m2>(first, step);
    case 2:
      return conversions(__NV_SATFINITE, __NV_E4M3, first, step);
    case 3:
      return conversions(__NV_NOSAT, __NV_E4M3, first, step);
    case 4:
      return conversions(__NV_SATFINITE, __NV_E5M2, first, step);
    default:
      return conversions(__NV_NOSAT, __NV_E5M2, first, step);
  }
}

__global__ void part_kernel(int number, unsigned long long* sum) {
  atomicAdd(sum, part(number, threadIdx.x, blockDim.x));
}

__global__ void vectors_kernel(unsigned* out, float* back) {
  __shared__ __nv_fp8x4_e4m3 four;
  four = __nv_fp8x4_e4m3(make_float4(1.5f, -3.0f, 1000.0f, 0.01f));
  const __nv_fp8x2_e5m2 two(__floats2half2_rn(0.3f, -1e6f));
  const float4 floats = static_cast<float4>(four);
  const float2 pair = static_cast<float2>(two);
  out[0] = four.__x;
  out[1] = two.__x;
  out[2] = __nv_fp8x2_e4m3(make_double2(1e-3, 448.0)).__x;
  back[0] = floats.x, back[1] = floats.y, back[2] = floats.z, back[3] = floats.w;
  back[4] = pair.x, back[5] = pair.y;
}

PART(fp8_values) {
  for (int number = 0; number < 6; ++number) {
    const DeviceArray<unsigned long long> sum(1);
    part_kernel<<<1, 64>>>(number, sum.data());
    CHECK_LAUNCH();
    std::printf("%d: %016llx %016llx\n", number, part(number, 0, 1), sum.host()[0]);
  }
  const DeviceArray<unsigned> bits(3);
  const DeviceArray<float> back(6);
  vectors_kernel<<<1, 1>>>(bits.data(), back.data());
  CHECK_LAUNCH();
  std::printf("bits: %08x %04x %04x\n", bits.host()[0], bits.host()[1], bits.host()[2]);
  const std::vector<float> values = back.host();
  show("vectors", std::vector<double>(values.begin(), values.end()));
}

}  // namespace fp8_values

/* Prints:
0: e90120c11cf0179c e90120c11cf0179c
1: d844cb368364851e d844cb368364851e
2: 6a2dc234df32e06c 6a2dc234df32e06c
3: a09a56ecc06dc9d7 a09a56ecc06dc9d7
4: 6ffdade141145c77 6ffdade141145c77
5: 24d51a537be95116 24d51a537be95116
bits: 057ec43c fb35 7e01
vectors: 1.5 -3 448 0.00976562 0.3125 -57344
*/
