// SPDX-License-Identifier: MIT
// The usual compare-and-swap loop begins with a plain read, while other threads change the word.
#include "../check.h"

__device__ void atomic_multiply(float* address, float factor) {
  int* bits = reinterpret_cast<int*>(address);
  int seen = *bits, expected;
  do {
    expected = seen;
    seen = atomicCAS(bits, expected, __float_as_int(__int_as_float(expected) * factor));
  } while (seen != expected);
}

__global__ void product_kernel(float* product) {
  atomic_multiply(product, threadIdx.x % 2 ? 2.0f : 0.5f);
  if (threadIdx.x < 3) atomic_multiply(product, 2.0f);
}

int main() {
  DeviceArray<float> product({1.5f});
  product_kernel<<<2, 64>>>(product.data());
  CHECK_LAUNCH();
  show("product", product.host());
}

/* Prints:
product: 96
*/
