// SPDX-License-Identifier: MIT
// Single-precision functions against the host's double precision ones.
#include <cmath>

#include "../check.h"

constexpr int kFunctions = 30;

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

int main() {
  const std::vector<float> in = {0.125f, 0.5f, 1.0f, 1.75f, 2.5f, 3.25f, 5.0f};
  DeviceArray<float> d_in(in), out(kFunctions * in.size());
  single_kernel<<<1, in.size()>>>(d_in.data(), out.data());
  CHECK_LAUNCH();
  const std::vector<float> got = out.host();
  const double pi = 3.14159265358979323846, y = 0.75;
  int wrong = 0;
  for (size_t i = 0; i < in.size(); ++i) {
    const double x = in[i];
    const double exact[kFunctions] = {
        sqrt(x),    1 / sqrt(x), cbrt(x),     1 / cbrt(x), exp(x),      exp2(x),
        pow(10, x), expm1(x),    log(x),      log2(x),     log10(x),    log1p(x),
        sin(x),     cos(x),      tan(x),      atan2(x, y), asin(x / 8), acos(x / 8),
        sinh(x),    tanh(x),     pow(x, y),   hypot(x, y), erf(x),      erfc(x),
        tgamma(x),  lgamma(x),   sin(pi * x), cos(pi * x), fmod(x, y),  remainder(x, y)};
    for (int f = 0; f < kFunctions; ++f) {
      const double error = std::fabs(got[kFunctions * i + f] - exact[f]);
      if (error <= 4e-6 * std::fmax(1, std::fabs(exact[f]))) continue;
      std::printf("function %d of %g: got %g, exact %g\n", f, x, got[kFunctions * i + f], exact[f]);
      ++wrong;
    }
  }
  show("wrong", wrong);
}

/* Prints:
wrong: 0
*/
