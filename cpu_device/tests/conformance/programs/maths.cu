// SPDX-License-Identifier: MIT
// Functions of <cmath> in kernels.
#include <array>
#include <cmath>
#include <limits>

#include "../check.h"
#include "../parts.h"

constexpr int kFunctions = 30;

// Of the functions that both precisions have, in the order of their kernels, as the host's doubles.
std::array<double, kFunctions> exact_values(double x) {
  const double pi = 3.14159265358979323846, y = 0.75;
  return {sqrt(x),    1 / sqrt(x), cbrt(x),     1 / cbrt(x), exp(x),      exp2(x),
          pow(10, x), expm1(x),    log(x),      log2(x),     log10(x),    log1p(x),
          sin(x),     cos(x),      tan(x),      atan2(x, y), asin(x / 8), acos(x / 8),
          sinh(x),    tanh(x),     pow(x, y),   hypot(x, y), erf(x),      erfc(x),
          tgamma(x),  lgamma(x),   sin(pi * x), cos(pi * x), fmod(x, y),  remainder(x, y)};
}

// Double-precision functions, in kernels and on the host alike.
namespace double_precision {

__global__ void double_kernel(const double* in, double* out) {
  const double x = in[threadIdx.x], y = 0.75;
  double* mine = out + kFunctions * threadIdx.x;
  int k = 0;
  mine[k++] = sqrt(x), mine[k++] = rsqrt(x), mine[k++] = cbrt(x), mine[k++] = rcbrt(x);
  mine[k++] = exp(x), mine[k++] = exp2(x), mine[k++] = exp10(x), mine[k++] = expm1(x);
  mine[k++] = log(x), mine[k++] = log2(x), mine[k++] = log10(x), mine[k++] = log1p(x);
  mine[k++] = sin(x), mine[k++] = cos(x), mine[k++] = tan(x), mine[k++] = atan2(x, y);
  mine[k++] = asin(x / 8), mine[k++] = acos(x / 8), mine[k++] = sinh(x), mine[k++] = tanh(x);
  mine[k++] = pow(x, y), mine[k++] = hypot(x, y), mine[k++] = erf(x), mine[k++] = erfc(x);
  mine[k++] = tgamma(x), mine[k++] = lgamma(x), mine[k++] = sinpi(x), mine[k++] = cospi(x);
  mine[k++] = fmod(x, y), mine[k++] = remainder(x, y);
}

PART(double_precision) {
  const std::vector<double> in = {0.125, 0.5, 1.0, 1.75, 2.5, 3.25, 5.0};
  DeviceArray<double> d_in(in), out(kFunctions * in.size());
  double_kernel<<<1, in.size()>>>(d_in.data(), out.data());
  CHECK_LAUNCH();
  const std::vector<double> got = out.host();
  int wrong = 0;
  for (size_t i = 0; i < in.size(); ++i) {
    const double x = in[i];
    const std::array<double, kFunctions> exact = exact_values(x);
    for (int f = 0; f < kFunctions; ++f) {
      const double error = std::fabs(got[kFunctions * i + f] - exact[f]);
      if (error <= 1e-13 * std::fmax(1, std::fabs(exact[f]))) continue;
      std::printf("function %d of %g: got %.17g, exact %.17g\n", f, x, got[kFunctions * i + f],
                  exact[f]);
      ++wrong;
    }
  }
  show("wrong", wrong);
}

}  // namespace double_precision

/* Prints:
wrong: 0
*/

// Functions whose results are exact: parts of numbers, rounding, scaling, signs, norms of simple
// vectors.
namespace exact {

__global__ void exact_kernel(float* out) {
  int k = 0, exponent = 0, quotient = 0;
  float whole = 0;
  out[k++] = floorf(-1.5f);
  out[k++] = ceilf(-1.5f);
  out[k++] = truncf(-1.5f);
  out[k++] = roundf(-2.5f);
  out[k++] = rintf(-2.5f);
  out[k++] = nearbyintf(3.5f);
  out[k++] = lroundf(2.5f) + lrintf(2.5f) + llroundf(-0.5f);
  const float fraction = frexpf(12.0f, &exponent);
  out[k++] = fraction + exponent;
  const float rest = modff(-3.25f, &whole);
  out[k++] = rest + 10 * whole;
  out[k++] = ldexpf(1.5f, 4) + scalbnf(1.0f, -2);
  out[k++] = copysignf(3.0f, -0.0f);
  out[k++] = fdimf(5.0f, 3.0f) + fdimf(3.0f, 5.0f);
  const float remainder_of_two = remquof(7.0f, 2.0f, &quotient);
  out[k++] = remainder_of_two + 100 * (quotient & 7);
  out[k++] = logbf(10.0f) + ilogbf(0.3f);
  out[k++] = nextafterf(1.0f, 2.0f) == 1.0f + 0x1p-23f;
  out[k++] = fmaf(2.0f, 3.0f, 4.0f);
  out[k++] = norm3df(1.0f, 2.0f, 2.0f) + rnorm3df(2.0f, 3.0f, 6.0f) * 7;
  out[k++] = norm4df(1.0f, 1.0f, 1.0f, 1.0f) + rhypotf(3.0f, 4.0f) * 5;
  out[k++] = normcdff(0.0f) + normcdfinvf(0.5f);
  out[k++] = sinpif(0.5f) + cospif(1.0f) + sinpif(2.0f);
  out[k++] = fabsf(-2.5f) + sqrtf(6.25f);
  out[k++] = exp2f(5.0f) + exp2(-3.0);
}

PART(exact) {
  DeviceArray<float> out(22);
  exact_kernel<<<1, 1>>>(out.data());
  CHECK_LAUNCH();
  for (float value : out.host()) std::printf("%g\n", value);
}

}  // namespace exact

/* Prints:
-2
-1
-1
-3
-2
4
4
4.75
-30.25
24.25
-3
2
399
1
1
10
4
3
0.5
0
5
32.125
*/

// Single-precision functions against the host's double precision ones.
namespace single_precision {

__global__ void single_kernel(const float* in, float* out) {
  const float x = in[threadIdx.x], y = 0.75f;
  float* mine = out + kFunctions * threadIdx.x;
  int k = 0;
  mine[k++] = sqrtf(x), mine[k++] = rsqrtf(x), mine[k++] = cbrtf(x), mine[k++] = rcbrtf(x);
  mine[k++] = expf(x), mine[k++] = exp2f(x), mine[k++] = exp10f(x), mine[k++] = expm1f(x);
  mine[k++] = logf(x), mine[k++] = log2f(x), mine[k++] = log10f(x), mine[k++] = log1pf(x);
  mine[k++] = sinf(x), mine[k++] = cosf(x), mine[k++] = tanf(x), mine[k++] = atan2f(x, y);
  mine[k++] = asinf(x / 8), mine[k++] = acosf(x / 8), mine[k++] = sinhf(x), mine[k++] = tanhf(x);
  mine[k++] = powf(x, y), mine[k++] = hypotf(x, y), mine[k++] = erff(x), mine[k++] = erfcf(x);
  mine[k++] = tgammaf(x), mine[k++] = lgammaf(x), mine[k++] = sinpif(x), mine[k++] = cospif(x);
  mine[k++] = fmodf(x, y), mine[k++] = remainderf(x, y);
}

PART(single_precision) {
  const std::vector<float> in = {0.125f, 0.5f, 1.0f, 1.75f, 2.5f, 3.25f, 5.0f};
  DeviceArray<float> d_in(in), out(kFunctions * in.size());
  single_kernel<<<1, in.size()>>>(d_in.data(), out.data());
  CHECK_LAUNCH();
  const std::vector<float> got = out.host();
  int wrong = 0;
  for (size_t i = 0; i < in.size(); ++i) {
    const double x = in[i];
    const std::array<double, kFunctions> exact = exact_values(x);
    for (int f = 0; f < kFunctions; ++f) {
      const double error = std::fabs(got[kFunctions * i + f] - exact[f]);
      if (error <= 4e-6 * std::fmax(1, std::fabs(exact[f]))) continue;
      std::printf("function %d of %g: got %g, exact %g\n", f, x, got[kFunctions * i + f], exact[f]);
      ++wrong;
    }
  }
  show("wrong", wrong);
}

}  // namespace single_precision

/* Prints:
wrong: 0
*/

// Infinities, NaNs, signed zeros and subnormal numbers.
namespace special_values {

__global__ void special_kernel(float zero, float one, float tiny, int* out) {
  const float infinity = one / zero, nan = zero / zero;
  int k = 0;
  out[k++] = isinf(infinity) && infinity > 0;
  out[k++] = isnan(nan) && !(nan == nan) && !isfinite(nan);
  out[k++] = isfinite(one) && !isnan(one);
  out[k++] = fminf(nan, 2.0f) == 2.0f && fmaxf(2.0f, nan) == 2.0f;
  out[k++] = isnan(fmaxf(nan, nan));
  out[k++] = signbit(-zero) && !signbit(zero);
  out[k++] = sqrtf(infinity) == infinity && isnan(sqrtf(-one));
  out[k++] = logf(zero) == -infinity && expf(-infinity) == 0.0f;
  out[k++] = tiny > 0 && tiny / 2 > 0 && tiny / 2 < tiny;  // gradual underflow
  out[k++] = powf(zero, zero) == 1.0f && powf(nan, zero) == 1.0f;
  out[k++] = expf(100.0f) == infinity && atanf(infinity) > 1.57f;
  out[k++] = isnan(infinity - infinity) && infinity + one == infinity;
  out[k++] = one / -infinity == 0.0f && signbit(one / -infinity);
  out[k++] = isinf(static_cast<double>(infinity)) && isnan(static_cast<double>(nan));
}

PART(special_values) {
  DeviceArray<int> out(14);
  special_kernel<<<1, 1>>>(0.0f, 1.0f, std::numeric_limits<float>::min(), out.data());
  CHECK_LAUNCH();
  show("all hold", out.host());
}

}  // namespace special_values

/* Prints:
all hold: 1 1 1 1 1 1 1 1 1 1 1 1 1 1
*/
