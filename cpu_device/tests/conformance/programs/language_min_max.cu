// SPDX-License-Identifier: MIT
// min, max and abs with the types that kernels mix, and the std:: names of mathematics.
#include <cmath>

#include "../check.h"

__global__ void integers_kernel(long long* out) {
  const int i = -3;
  const unsigned u = 5;
  const long long l = -(1ll << 40);
  const unsigned long long ul = 1ull << 63;
  out[0] = min(i, 2);
  out[1] = max(i, -4);
  out[2] = min(u, 6u);
  out[3] = max(l, 0ll);
  out[4] = min(l, -1ll);
  out[5] = max(ul, 1ull) >> 60;
  out[6] = abs(i);
  out[7] = llabs(l) >> 38;
  out[8] = min(threadIdx.x, 7u);
  out[9] = umin(3u, 4u) + umax(3u, 4u);
  out[10] = labs(-12L);
}

__global__ void reals_kernel(double* out) {
  const float f = -1.5f;
  const double d = 2.25;
  out[0] = min(f, 1.0f);
  out[1] = max(d, 3.5);
  out[2] = fminf(f, -2.0f);
  out[3] = fmax(d, -2.0);
  out[4] = std::sqrt(d);
  out[5] = std::fabs(f);
  out[6] = std::abs(f);
  out[7] = std::floor(f) + std::ceil(f) + std::trunc(f);
  out[8] = std::pow(2.0f, 10.0f);
  out[9] = std::isnan(f) + std::isinf(f);
  out[10] = fabs(d - 5) + abs(-0.5);
}

int main() {
  DeviceArray<long long> integers(11);
  DeviceArray<double> reals(11);
  integers_kernel<<<1, 1>>>(integers.data());
  reals_kernel<<<1, 1>>>(reals.data());
  CHECK_LAUNCH();
  show("integers", integers.host());
  show("reals", reals.host());
}

/* Prints:
integers: -3 -3 5 0 -1099511627776 8 3 4 0 7 12
reals: -1.5 3.5 -2 2.25 1.5 1.5 1.5 -4 1024 0 3.25
*/
