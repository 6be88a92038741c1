// SPDX-License-Identifier: MIT
// fma rounds once; the _rn forms of product and sum are never fused.
#include "../check.h"

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

int main() {
  DeviceArray<double> out(6);
  fused_kernel<<<1, 1>>>(1.0f + 0x1p-12f, 1.0 + 0x1p-27, out.data());
  CHECK_LAUNCH();
  const std::vector<double> host = out.host();
  show("single", host[0] == 0x1p-24, host[1] == 0x1p-24, host[2] == 0);
  show("double", host[3] == 0x1p-54, host[4] == 0x1p-54, host[5] == 0);
}

/* Prints:
single: 1 1 1
double: 1 1 1
*/
