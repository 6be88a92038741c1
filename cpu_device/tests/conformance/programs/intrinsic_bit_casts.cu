// SPDX-License-Identifier: MIT
// Bits of floating-point numbers as integers and back; halves of doubles.
#include "../check.h"

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

int main() {
  DeviceArray<long long> bits(5);
  DeviceArray<double> reals(4);
  casts_kernel<<<1, 1>>>(bits.data(), reals.data());
  CHECK_LAUNCH();
  show("bits", bits.host());
  show("reals", reals.host());
}

/* Prints:
bits: 1065353216 3221225472 4609434218613702656 -1074790400 77
reals: 3.14159 1 3.125 10
*/
