// SPDX-License-Identifier: MIT
// Fast single-precision functions, within the tolerance that their documented errors allow.
#include <cmath>

#include "../check.h"

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

int main() {
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
