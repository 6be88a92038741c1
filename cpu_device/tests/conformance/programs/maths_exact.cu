// SPDX-License-Identifier: MIT
// Functions whose results are exact: parts of numbers, rounding, scaling, signs, norms of simple
// vectors.
#include <cmath>

#include "../check.h"

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

int main() {
  DeviceArray<float> out(22);
  exact_kernel<<<1, 1>>>(out.data());
  CHECK_LAUNCH();
  for (float value : out.host()) std::printf("%g\n", value);
}

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
