// SPDX-License-Identifier: MIT
// __CUDA_ARCH__ in device code, as programs use it: to choose between ways to the same end.
#include "../check.h"

#ifndef __CUDACC__
#error "__CUDACC__ is not defined"
#endif
#if !defined(__NVCC__) || __CUDACC_VER_MAJOR__ < 11 || __CUDACC_VER_MINOR__ > 99
#error "nvcc's macros are not defined"
#endif

__device__ void add_to(double* sum, double value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
  unsigned long long* bits = reinterpret_cast<unsigned long long*>(sum);
  unsigned long long seen = *bits, expected;
  do {
    expected = seen;
    seen = atomicCAS(bits, expected, __double_as_longlong(value + __longlong_as_double(expected)));
  } while (seen != expected);
#else
  atomicAdd(sum, value);
#endif
}

__global__ void architecture_kernel(double* sum, int* recent) {
  add_to(sum, 0.25);
#ifdef __CUDA_ARCH__
  if (threadIdx.x == 0) *recent = __CUDA_ARCH__ >= 700;
#else
  if (threadIdx.x == 0) *recent = 1;  // one compile for both sides
#endif
}

int main() {
  DeviceArray<double> sum(1);
  DeviceArray<int> recent(1);
  architecture_kernel<<<2, 64>>>(sum.data(), recent.data());
  CHECK_LAUNCH();
  show("sum", sum.host());
  show("recent", recent.host());
}

/* Prints:
sum: 32
recent: 1
*/
