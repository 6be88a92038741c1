// SPDX-License-Identifier: MIT
// clock64() and clock() advance.
#include "../check.h"

__global__ void clock_kernel(int* out) {
  const long long start = clock64();
  const clock_t short_start = clock();
  volatile int sink = 0;
  for (int i = 0; i < 1000; ++i) sink = sink + i;
  const long long end = clock64();
  const clock_t short_end = clock();
  out[0] = end > start;
  out[1] = end - start < (1ll << 40);
  out[2] = short_end != short_start;
}

int main() {
  DeviceArray<int> out(3);
  clock_kernel<<<1, 1>>>(out.data());
  CHECK_LAUNCH();
  show("advances, by a sane amount", out.host());
}

/* Prints:
advances, by a sane amount: 1 1 1
*/
