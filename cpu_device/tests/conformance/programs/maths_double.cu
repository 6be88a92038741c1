// SPDX-License-Identifier: MIT
// Double-precision functions, in kernels and on the host alike.
#include <cmath>

#include "../check.h"

constexpr int kFunctions = 30;

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

int main() {
  const std::vector<double> in = {0.125, 0.5, 1.0, 1.75, 2.5, 3.25, 5.0};
  DeviceArray<double> d_in(in), out(kFunctions * in.size());
  double_kernel<<<1, in.size()>>>(d_in.data(), out.data());
  CHECK_LAUNCH();
  const std::vector<double> got = out.host();
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
      if (error <= 1e-13 * std::fmax(1, std::fabs(exact[f]))) continue;
      std::printf("function %d of %g: got %.17g, exact %.17g\n", f, x, got[kFunctions * i + f],
                  exact[f]);
      ++wrong;
    }
  }
  show("wrong", wrong);
}

/* Prints:
wrong: 0
*/
