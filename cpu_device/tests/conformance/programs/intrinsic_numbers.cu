// SPDX-License-Identifier: MIT
// Intrinsics of one thread: bits, integers, rounding.
#include <cuComplex.h>

#include <cmath>

#include "../check.h"
#include "../parts.h"

// Bits of floating-point numbers as integers and back; halves of doubles.
namespace bit_casts {

__global__ void casts_kernel(long long* bits, double* reals) {
  bits[0] = __float_as_int(1.0f);
  bits[1] = __float_as_uint(-2.0f);
  bits[2] = __double_as_longlong(1.5);
  bits[3] = __double2hiint(-1.0);
  bits[4] = __double2loint(__hiloint2double(0x3ff00000, 77));
  reals[0] = __int_as_float(0x40490fdb);
  reals[1] = __uint_as_float(0x80000001u) < 0;
  reals[2] = __longlong_as_double(0x4009000000000000ll);
  reals[3] = __hiloint2double(0x40240000, 0);
}

PART(bit_casts) {
  DeviceArray<long long> bits(5);
  DeviceArray<double> reals(4);
  casts_kernel<<<1, 1>>>(bits.data(), reals.data());
  CHECK_LAUNCH();
  show("bits", bits.host());
  show("reals", reals.host());
}

}  // namespace bit_casts

/* Prints:
bits: 1065353216 3221225472 4609434218613702656 -1074790400 77
reals: 3.14159 1 3.125 10
*/

// Counting, finding and reversing bits, 32 and 64 bits wide, at their edges.
namespace bits {

__global__ void bits_kernel(const unsigned* words, int* out) {
  const int i = threadIdx.x;
  const unsigned x = words[i];
  const unsigned long long wide = static_cast<unsigned long long>(x) << 20;
  int* mine = out + 8 * i;
  mine[0] = __popc(x);
  mine[1] = __clz(x);
  mine[2] = __ffs(x);
  mine[3] = __brev(x);
  mine[4] = __popcll(wide | 1);
  mine[5] = __clzll(wide);
  mine[6] = __ffsll(wide);
  mine[7] = static_cast<int>(__brevll(wide) >> 12);
}

PART(bits) {
  const std::vector<unsigned> words = {0u, 1u, 0x80000000u, 0x00ff0180u, 0xffffffffu};
  DeviceArray<unsigned> in(words);
  DeviceArray<int> out(8 * words.size());
  bits_kernel<<<1, words.size()>>>(in.data(), out.data());
  CHECK_LAUNCH();
  const std::vector<int> host = out.host();
  for (size_t i = 0; i < words.size(); ++i) {
    std::printf("%08x:", words[i]);
    for (int k = 0; k < 8; ++k) std::printf(k % 4 == 3 ? " %08x" : " %d", host[8 * i + k]);
    std::printf("\n");
  }
}

}  // namespace bits

/* Prints:
00000000: 0 32 0 00000000 1 64 0 00000000
00000001: 1 31 1 80000000 2 43 21 80000000
80000000: 1 0 32 00000001 2 12 52 00000001
00ff0180: 10 8 8 0180ff00 11 20 28 0180ff00
ffffffff: 32 0 1 ffffffff 33 12 21 ffffffff
*/

// __byte_perm selects bytes of two words; funnel shifts shift a pair of words, wrapping or clamped.
namespace byte_perm_and_funnel_shift {

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

PART(byte_perm_and_funnel_shift) {
  DeviceArray<unsigned> out(15);
  words_kernel<<<1, 1>>>(out.data());
  CHECK_LAUNCH();
  for (unsigned value : out.host()) std::printf("%08x\n", value);
}

}  // namespace byte_perm_and_funnel_shift

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

// Arithmetic with a rounding direction, single and double, as the distance in units of the last
// place.
namespace directed_rounding {

__device__ int ulps(float x, float base) {
  return __float_as_int(x) - __float_as_int(base);
}
__device__ int ulps(double x, double base) {
  return static_cast<int>(__double_as_longlong(x) - __double_as_longlong(base));
}

__global__ void single_kernel(float one, float tiny, float near_one, float three, float two,
                              int* out) {
  const float third = __uint_as_float(0x3eaaaaaa), root = __uint_as_float(0x3fb504f3);
  const float sums[] = {__fadd_rn(one, tiny), __fadd_rz(one, tiny),  __fadd_ru(one, tiny),
                        __fadd_rd(one, tiny), __fsub_ru(one, -tiny), __fsub_rd(one, -tiny)};
  const float products[] = {__fmul_rn(near_one, near_one), __fmul_rz(near_one, near_one),
                            __fmul_ru(near_one, near_one), __fmul_rd(near_one, near_one)};
  const float quotients[] = {__fdiv_rn(one, three), __fdiv_rz(one, three), __fdiv_ru(one, three),
                             __fdiv_rd(one, three), __frcp_rn(three),      __frcp_ru(three)};
  const float roots[] = {__fsqrt_rn(two), __fsqrt_rz(two), __fsqrt_ru(two), __fsqrt_rd(two)};
  const float fused[] = {__fmaf_rn(one, one, tiny), __fmaf_ru(one, one, tiny),
                         __fmaf_rd(-one, one, -tiny), __fmaf_rz(-one, one, -tiny)};
  for (float x : sums) *out++ = ulps(x, one);
  for (float x : products) *out++ = ulps(x, one);
  for (float x : quotients) *out++ = ulps(x, third);
  for (float x : roots) *out++ = ulps(x, root);
  for (int i = 0; i < 4; ++i) *out++ = ulps(fused[i], i < 2 ? one : -one);
}

__global__ void double_kernel(double one, double tiny, double three, double two, int* out) {
  const double third = __longlong_as_double(0x3fd5555555555555ll);
  const double root = __longlong_as_double(0x3ff6a09e667f3bccll);
  const double sums[] = {__dadd_rn(one, tiny), __dadd_ru(one, tiny), __dsub_rd(-one, tiny),
                         __dsub_rz(-one, tiny)};
  const double products[] = {__dmul_ru(one + 1e-15, one + 1e-15),
                             __dmul_rd(one + 1e-15, one + 1e-15)};
  const double quotients[] = {__ddiv_rn(one, three), __ddiv_ru(one, three), __ddiv_rd(one, three),
                              __drcp_rn(three)};
  const double roots[] = {__dsqrt_rn(two), __dsqrt_ru(two), __dsqrt_rd(two)};
  for (int i = 0; i < 4; ++i) *out++ = ulps(sums[i], i < 2 ? one : -one);
  *out++ = ulps(products[0], products[1]);
  for (double x : quotients) *out++ = ulps(x, third);
  for (double x : roots) *out++ = ulps(x, root);
  *out++ = ulps(__fma_ru(one, one, tiny), one);
  *out++ = ulps(__fma_rd(one, one, tiny), one);
}

PART(directed_rounding) {
  DeviceArray<int> single(24), twice(14);
  single_kernel<<<1, 1>>>(1.0f, 1e-12f, 1.00000011920928955078125f, 3.0f, 2.0f, single.data());
  double_kernel<<<1, 1>>>(1.0, 1e-20, 3.0, 2.0, twice.data());
  CHECK_LAUNCH();
  show("single", single.host());
  show("double", twice.host());
}

}  // namespace directed_rounding

/* Prints:
single: 0 0 1 0 1 0 2 2 3 2 1 0 1 0 1 1 0 0 1 0 0 1 1 0
double: 0 1 1 0 1 0 1 0 0 1 1 0 1 0
*/

// Fast single-precision functions, within the tolerance that their documented errors allow.
namespace fast_maths {

constexpr int kFunctions = 12;

__global__ void fast_kernel(const float* in, float* out) {
  const float x = in[threadIdx.x];
  float* mine = out + kFunctions * threadIdx.x;
  mine[0] = __expf(x);
  mine[1] = __exp10f(x);
  mine[2] = __logf(x);
  mine[3] = __log2f(x);
  mine[4] = __log10f(x);
  mine[5] = __sinf(x);
  mine[6] = __cosf(x);
  mine[7] = __tanf(x);
  mine[8] = __powf(x, 1.5f);
  mine[9] = __fdividef(1.0f, x);
  mine[10] = __frsqrt_rn(x);
  __sincosf(x, &mine[5], &mine[11]);
}

__global__ void saturate_kernel(float* out) {
  out[0] = __saturatef(-0.5f);
  out[1] = __saturatef(0.25f);
  out[2] = __saturatef(7.0f);
  out[3] = __saturatef(nanf(""));
  out[4] = __fdividef(3.0f, 0.25f);
  out[5] = __fdividef(1.0f, INFINITY);
}

PART(fast_maths) {
  const char* names[kFunctions] = {"exp", "exp10", "log", "log2",     "log10", "sin",
                                   "cos", "tan",   "pow", "fdividef", "rsqrt", "sincos"};
  const std::vector<float> x = {0.1f, 0.5f, 1.0f, 1.5f, 2.0f, 2.75f, 3.0f};
  DeviceArray<float> in(x), out(kFunctions * x.size()), edges(6);
  fast_kernel<<<1, x.size()>>>(in.data(), out.data());
  saturate_kernel<<<1, 1>>>(edges.data());
  CHECK_LAUNCH();
  const std::vector<float> got = out.host();
  for (int f = 0; f < kFunctions; ++f) {
    double worst = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      const double v = x[i];
      const double exact[kFunctions] = {exp(v),      pow(10, v), log(v),      log2(v),
                                        log10(v),    sin(v),     cos(v),      tan(v),
                                        pow(v, 1.5), 1 / v,      1 / sqrt(v), cos(v)};
      const double error = std::fabs(got[kFunctions * i + f] - exact[f]);
      worst = std::fmax(worst, error / std::fmax(1, std::fabs(exact[f])));
    }
    expect(names[f], worst < 2e-5);
  }
  show("saturated, divided", edges.host());
}

}  // namespace fast_maths

/* Prints:
exp: ok
exp10: ok
log: ok
log2: ok
log10: ok
sin: ok
cos: ok
tan: ok
pow: ok
fdividef: ok
rsqrt: ok
sincos: ok
saturated, divided: 0 0.25 1 0 12 0
*/

// fma rounds once; the _rn forms of product and sum are never fused.
namespace fused_multiply_add {

__global__ void fused_kernel(float x, double y, double* out) {
  const float minus = -(1.0f + 0x1p-11f);
  out[0] = fmaf(x, x, minus);
  out[1] = __fmaf_rn(x, x, minus);
  out[2] = __fadd_rn(__fmul_rn(x, x), minus);
  const double double_minus = -(1.0 + 0x1p-26);
  out[3] = fma(y, y, double_minus);
  out[4] = __fma_rn(y, y, double_minus);
  out[5] = __dadd_rn(__dmul_rn(y, y), double_minus);
}

PART(fused_multiply_add) {
  DeviceArray<double> out(6);
  fused_kernel<<<1, 1>>>(1.0f + 0x1p-12f, 1.0 + 0x1p-27, out.data());
  CHECK_LAUNCH();
  const std::vector<double> host = out.host();
  show("single", host[0] == 0x1p-24, host[1] == 0x1p-24, host[2] == 0);
  show("double", host[3] == 0x1p-54, host[4] == 0x1p-54, host[5] == 0);
}

}  // namespace fused_multiply_add

/* Prints:
single: 1 1 1
double: 1 1 1
*/

// High halves of products, 24-bit products, sums of differences, averages without overflow.
namespace integer_arithmetic {

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

PART(integer_arithmetic) {
  DeviceArray<long long> out(16);
  integers_kernel<<<1, 1>>>(out.data(), 1000000007, 998244353, 4000000000u, 3999999999u);
  CHECK_LAUNCH();
  for (long long value : out.host()) std::printf("%lld\n", value);
}

}  // namespace integer_arithmetic

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

// __ldg reads plain and vector types.
namespace ldg {

__global__ void ldg_kernel(const int* ints, const float4* vectors, const double* reals,
                           const unsigned char* bytes, const long long* wide, const uchar4* pixels,
                           double* out) {
  const int i = threadIdx.x;
  const float4 v = __ldg(&vectors[i]);
  const uchar4 p = __ldg(pixels + i);
  out[i] = __ldg(ints + i) + v.x + v.w + __ldg(reals + i) + __ldg(&bytes[i]) +
           static_cast<double>(__ldg(&wide[i]) >> 40) + p.x + p.w;
}

PART(ldg) {
  DeviceArray<int> ints({1, 2});
  DeviceArray<float4> vectors({{10, 0, 0, 20}, {30, 0, 0, 40}});
  DeviceArray<double> reals({0.5, 0.25}), out(2);
  DeviceArray<unsigned char> bytes({200, 100});
  DeviceArray<long long> wide({1000ll << 40, 2000ll << 40});
  DeviceArray<uchar4> pixels({{1, 2, 3, 4}, {5, 6, 7, 8}});
  ldg_kernel<<<1, 2>>>(ints.data(), vectors.data(), reals.data(), bytes.data(), wide.data(),
                       pixels.data(), out.data());
  CHECK_LAUNCH();
  show("sums", out.host());
}

}  // namespace ldg

/* Prints:
sums: 1236.5 2185.25
*/

// Conversions to integers with each rounding; what is out of range saturates, a float's NaN becomes
// 0.
namespace rounding_to_integers {

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

PART(rounding_to_integers) {
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

}  // namespace rounding_to_integers

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

// Conversions to float and double with each rounding, shown as bits above a known number.
namespace rounding_to_reals {

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

PART(rounding_to_reals) {
  DeviceArray<int> out(21);
  to_reals_kernel<<<1, 1>>>(16777217, 4294967295u, (1ll << 40) + 1, ~0ull, 1.0 + 1e-9, out.data());
  CHECK_LAUNCH();
  show("steps", out.host());
}

}  // namespace rounding_to_reals

/* Prints:
steps: 0 0 1 0 1 0 -1 0 0 1 0 -1 0 0 1 1 1 1 1 1 1
*/

// cuComplex.h, in a kernel and on the host. All results are exact.
namespace complex_numbers {

__host__ __device__ void compute(cuComplex a, cuComplex b, float* out) {
  const cuComplex all[] = {cuCaddf(a, b),
                           cuCsubf(a, b),
                           cuCmulf(a, b),
                           cuCdivf(a, b),
                           cuCfmaf(a, b, cuConjf(a)),
                           make_cuComplex(0, cuCabsf(a))};
  for (const cuComplex& each : all) {
    *out++ = cuCrealf(each);
    *out++ = cuCimagf(each);
  }
}

__host__ __device__ void compute(cuDoubleComplex a, cuDoubleComplex b, double* out) {
  const cuDoubleComplex all[] = {cuCadd(a, b),
                                 cuCsub(a, b),
                                 cuCmul(a, b),
                                 cuCdiv(a, b),
                                 cuCfma(a, b, cuConj(a)),
                                 make_cuDoubleComplex(0, cuCabs(a))};
  for (const cuDoubleComplex& each : all) {
    *out++ = cuCreal(each);
    *out++ = cuCimag(each);
  }
}

template <class Complex, class Real>
__global__ void compute_kernel(Complex a, Complex b, Real* out) {
  compute(a, b, out);
}

template <class Complex, class Real>
void compute_on_both(const char* name, Complex a, Complex b) {
  DeviceArray<Real> out(12);
  compute_kernel<<<1, 1>>>(a, b, out.data());
  CHECK_LAUNCH();
  show(name, out.host());
  Real host[12];
  compute(a, b, host);
  expect("same on the host", out.host() == std::vector<Real>(host, host + 12));
}

PART(complex_numbers) {
  compute_on_both<cuComplex, float>("float", make_cuComplex(3, 4), make_cuFloatComplex(0, 2));
  compute_on_both<cuDoubleComplex, double>("double", make_cuDoubleComplex(-6, 8),
                                           make_cuDoubleComplex(-4, 0));
  // The squares of these are beyond the range of float.
  const cuComplex large = cuCdivf(make_cuComplex(0x1p100f, 0), make_cuComplex(0, 0x1p99f));
  show("large", large.x, large.y);
  const cuDoubleComplex wide = cuComplexFloatToDouble(make_cuComplex(0.5f, -1));
  const cuComplex narrow = cuComplexDoubleToFloat(make_cuDoubleComplex(0.1, 2));
  expect("converted", wide.x == 0.5 && wide.y == -1 && narrow.x == 0.1f && narrow.y == 2);
}

}  // namespace complex_numbers

/* Prints:
float: 3 6 3 2 -8 6 2 -1.5 -5 2 0 5
same on the host: ok
double: -10 8 -2 8 24 -32 1.5 -2 18 -40 0 10
same on the host: ok
large: 0 -2
converted: ok
*/
