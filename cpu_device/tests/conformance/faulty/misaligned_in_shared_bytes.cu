// SPDX-License-Identifier: MIT
// Doubles are placed after three ints in a shared array of bytes.
#include "../check.h"

__global__ void carve_kernel(double* out) {
  __shared__ __align__(16) unsigned char bytes[128];
  int* ints = reinterpret_cast<int*>(bytes);
  double* reals = reinterpret_cast<double*>(bytes + 3 * sizeof(int));
  if (threadIdx.x < 3) ints[threadIdx.x] = threadIdx.x;
  reals[threadIdx.x] = 0.5;  // fault: offset 12 is no multiple of 8
  __syncthreads();
  out[threadIdx.x] = reals[threadIdx.x] + ints[0];
}

int main() {
  double* d_out = nullptr;
  CHECK(cudaMalloc(&d_out, 8 * sizeof(double)));
  carve_kernel<<<1, 8>>>(d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "misaligned"
kernel = "carve_kernel"
line = 10
mentions = ["bytes"]
mode = "check"
*/
