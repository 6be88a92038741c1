// SPDX-License-Identifier: MIT
// One dynamic array is carved into parts that end where the next begins, up to the last byte.
#include "../check.h"

__global__ void carve_kernel(int* out, int n) {
  extern __shared__ __align__(8) char carved[];
  double* reals = reinterpret_cast<double*>(carved);
  int* ints = reinterpret_cast<int*>(reals + n);
  unsigned char* bytes = reinterpret_cast<unsigned char*>(ints + n);
  const int t = threadIdx.x;
  bytes[t] = t;
  ints[t] = 10 * t;
  reals[t] = 0.5 * t;
  __syncthreads();
  const int other = n - 1 - t;
  out[t] = static_cast<int>(2 * reals[other]) + ints[other] + bytes[other];
}

int main() {
  const int n = 37;
  DeviceArray<int> out(n);
  carve_kernel<<<1, n, n*(sizeof(double) + sizeof(int) + 1)>>>(out.data(), n);
  CHECK_LAUNCH();
  show("ends", out.host()[0], out.host()[n - 1]);
}

/* Prints:
ends: 432 0
*/
