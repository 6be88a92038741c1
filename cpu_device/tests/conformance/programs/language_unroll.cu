// SPDX-License-Identifier: MIT
// #pragma unroll in its forms changes no result.
#include "../check.h"

template <int kSteps>
__global__ void unroll_kernel(int* out) {
  int a = 0, b = 0, c = 0, d = 0;
#pragma unroll
  for (int i = 0; i < 7; ++i) a += i * threadIdx.x;
#pragma unroll 4
  for (int i = 0; i < 10; ++i) {
    if (i == 8) break;
    b += i;
  }
#pragma unroll(2)
  for (int i = 0; i < kSteps; ++i) c += i;
#pragma unroll 1
  for (int i = 0; i < kSteps; ++i) {
    if (i % 2) continue;
    d += i;
  }
#pragma unroll kSteps
  for (int i = 0; i < kSteps; ++i) d += 100;
  out[threadIdx.x] = a + 1000 * b + 100000 * c + d;
}

int main() {
  DeviceArray<int> out(3);
  unroll_kernel<5><<<1, 3>>>(out.data());
  CHECK_LAUNCH();
  show("sums", out.host());
}

/* Prints:
sums: 1028506 1028527 1028548
*/
