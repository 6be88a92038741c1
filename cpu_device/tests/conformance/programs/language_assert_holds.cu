// SPDX-License-Identifier: MIT
// assert() in kernels and device functions, where it holds.
#include <cassert>

#include "../check.h"

__device__ int checked_divide(int a, int b) {
  assert(b != 0);
  assert(b > 0 && "the divisor is positive");
  return a / b;
}

__global__ void divide_kernel(int* data) {
  assert(blockDim.x == 4);
  data[threadIdx.x] = checked_divide(data[threadIdx.x], threadIdx.x + 1);
}

int main() {
  DeviceArray<int> data({10, 20, 30, 40});
  divide_kernel<<<1, 4>>>(data.data());
  CHECK_LAUNCH();
  show("quotients", data.host());
}

/* Prints:
quotients: 10 10 10 10
*/
