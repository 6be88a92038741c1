// SPDX-License-Identifier: MIT
// Default arguments of kernels, of device functions and of template parameters.
#include "../check.h"

__device__ int weighted(int x, int weight = 10) {
  return x * weight;
}

template <class T = int, int kTimes = 2>
__global__ void fill_kernel(T* out, T value = T(5), int add = 1) {
  out[threadIdx.x] = value * kTimes + add + weighted(threadIdx.x) + weighted(threadIdx.x, 100);
}

__global__ void nothing_kernel(int* out = nullptr) {
  if (out != nullptr) *out = 77;
}

int main() {
  DeviceArray<int> out(3);
  DeviceArray<double> real(3);
  fill_kernel<<<1, 3>>>(out.data());
  show("all defaults", out.host());
  fill_kernel<<<1, 3>>>(out.data(), 1);
  show("one given", out.host());
  fill_kernel<int, 3><<<1, 3>>>(out.data(), 1, 0);
  show("all given", out.host());
  fill_kernel<<<1, 3>>>(real.data(), 0.25);
  show("other type", real.host());
  nothing_kernel<<<1, 1>>>();
  nothing_kernel<<<1, 1>>>(out.data());
  CHECK_LAUNCH();
  show("pointer", out.host());
}

/* Prints:
all defaults: 11 121 231
one given: 3 113 223
all given: 3 113 223
other type: 1.5 111.5 221.5
pointer: 77 113 223
*/
