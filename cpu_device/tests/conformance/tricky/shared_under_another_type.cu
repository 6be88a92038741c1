// SPDX-License-Identifier: MIT
// The same bytes of shared memory hold floats, then ints, then doubles; a barrier lies between.
#include "../check.h"

__global__ void types_kernel(double* out) {
  extern __shared__ __align__(16) unsigned char storage[];
  const int t = threadIdx.x;
  float* floats = reinterpret_cast<float*>(storage);
  int* ints = reinterpret_cast<int*>(storage);
  double* doubles = reinterpret_cast<double*>(storage);
  floats[t] = t * 0.5f;
  __syncthreads();
  const float a = floats[63 - t];
  __syncthreads();
  ints[63 - t] = t;
  __syncthreads();
  const int b = ints[t];
  __syncthreads();
  doubles[t] = a + b;
  __syncthreads();
  out[t] = doubles[(t + 1) % 64];
}

int main() {
  DeviceArray<double> out(64);
  types_kernel<<<1, 64, 64 * sizeof(double)>>>(out.data());
  CHECK_LAUNCH();
  const std::vector<double> got = out.host();
  show("some", got[0], got[31], got[62], got[63]);
}

/* Prints:
some: 93 46.5 0 94.5
*/
