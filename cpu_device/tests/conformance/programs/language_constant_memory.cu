// SPDX-License-Identifier: MIT
// __constant__ arrays, scalars and structs, with and without an initialiser, written by the host.
#include "../check.h"

struct Line {
  float slope;
  float offset;
};

__constant__ float weights[4];
__constant__ int primes[] = {2, 3, 5, 7};
__constant__ Line line = {2.0f, 1.0f};
__constant__ int scale;

__global__ void apply_kernel(float* out) {
  const int i = threadIdx.x;
  out[i] = weights[i] * primes[i] + line.slope * i + line.offset + scale;
}

int main() {
  const float host[4] = {0.5f, 1.0f, 1.5f, 2.0f};
  const int hundred = 100;
  CHECK(cudaMemcpyToSymbol(weights, host, sizeof(host)));
  CHECK(cudaMemcpyToSymbol(scale, &hundred, sizeof(int)));
  DeviceArray<float> out(4);
  apply_kernel<<<1, 4>>>(out.data());
  CHECK_LAUNCH();
  show("first", out.host());
  const Line other = {-1.0f, 0.25f};
  const float last = 8.0f;
  CHECK(cudaMemcpyToSymbol(line, &other, sizeof(other)));
  CHECK(cudaMemcpyToSymbol(weights, &last, sizeof(float), 3 * sizeof(float)));
  apply_kernel<<<1, 4>>>(out.data());
  CHECK_LAUNCH();
  show("second", out.host());
}

/* Prints:
first: 102 106 112.5 121
second: 101.25 102.25 105.75 153.25
*/
