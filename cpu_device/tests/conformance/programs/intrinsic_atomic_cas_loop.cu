// SPDX-License-Identifier: MIT
// Atomic operations that CUDA lacks, built from a compare-and-swap loop.
#include "../check.h"

__device__ float atomic_max_float(float* address, float value) {
  int* bits = reinterpret_cast<int*>(address);
  int seen = *bits;
  while (__int_as_float(seen) < value) {
    const int expected = seen;
    seen = atomicCAS(bits, expected, __float_as_int(value));
    if (seen == expected) break;
  }
  return __int_as_float(seen);
}

__device__ void atomic_multiply(double* address, double factor) {
  auto* bits = reinterpret_cast<unsigned long long*>(address);
  unsigned long long seen = *bits, expected;
  do {
    expected = seen;
    const double product = __longlong_as_double(expected) * factor;
    seen = atomicCAS(bits, expected, __double_as_longlong(product));
  } while (seen != expected);
}

__device__ void saturating_add(unsigned* address, unsigned bound) {
  for (unsigned seen = *address; seen < bound;) {
    const unsigned expected = seen;
    if ((seen = atomicCAS(address, expected, expected + 1)) == expected) return;
  }
}

__global__ void loops_kernel(float* largest, double* product, unsigned* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomic_max_float(largest, (i * 83 % 200) * 0.25f - 10.0f);
  if (i % 8 == 0) atomic_multiply(product, i % 16 == 0 ? 2.0 : 0.25);
  saturating_add(count, 150);
}

int main() {
  DeviceArray<float> largest({-1000.0f});
  DeviceArray<double> product({3.0});
  DeviceArray<unsigned> count(1);
  loops_kernel<<<4, 50>>>(largest.data(), product.data(), count.data());
  CHECK_LAUNCH();
  show("largest", largest.host());
  show("product", product.host());
  show("count", count.host());
}

/* Prints:
largest: 39.75
product: 0.00146484
count: 150
*/
