// SPDX-License-Identifier: MIT
// Infinities, NaNs, signed zeros and subnormal numbers.
#include <cmath>
#include <limits>

#include "../check.h"

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

int main() {
  DeviceArray<int> out(14);
  special_kernel<<<1, 1>>>(0.0f, 1.0f, std::numeric_limits<float>::min(), out.data());
  CHECK_LAUNCH();
  show("all hold", out.host());
}

/* Prints:
all hold: 1 1 1 1 1 1 1 1 1 1 1 1 1 1
*/
