// SPDX-License-Identifier: MIT
// Functions of the math library that put a result into shared memory through a pointer.
#include "../check.h"

__global__ void parts(const float* x, float* y, int* exponents) {
  __shared__ float whole[4], sine[4], cosine[4];
  __shared__ int exponent[4];
  __shared__ double part;
  const int i = threadIdx.x;
  const float fraction = modff(x[i], &whole[i]);
  sincosf(0.0f, &sine[i], &cosine[i]);
  const float mantissa = frexpf(x[i], &exponent[i]);
  if (i == 0) modf(2.75, &part);
  __syncthreads();
  const int other = 3 - i;
  y[i] =
      whole[other] + fraction + sine[other] + cosine[other] + mantissa + static_cast<float>(part);
  exponents[i] = exponent[other];
}

int main() {
  DeviceArray<float> x({1.5f, 2.25f, 4.5f, 8.75f}), y(size_t{4});
  DeviceArray<int> exponents(size_t{4});
  parts<<<1, 4>>>(x.data(), y.data(), exponents.data());
  show("y", y.host());
  show("exponents", exponents.host());
}

/* Prints:
y: 12.25 7.8125 6.0625 5.29688
exponents: 4 3 2 1
*/
