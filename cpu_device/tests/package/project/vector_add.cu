// SPDX-License-Identifier: MIT
// Adds 8 numbers. With an argument it launches a block too many.
#include <cstdio>

#include "add.cuh"

int main(int argc, char**) {
  static_assert(__cplusplus >= 202002L);
  constexpr int n = 8;
  float host[n], *x, *y, *z;
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&y, sizeof host);
  cudaMalloc(&z, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(y, host, sizeof host, cudaMemcpyHostToDevice);
  add<<<n / BLOCK + argc - 1, BLOCK>>>(x, y, z);
  const cudaError_t error = cudaMemcpy(host, z, sizeof host, cudaMemcpyDeviceToHost);
  for (float v : host) std::printf("%g ", v);
  std::printf("%s\n", cudaGetErrorName(error));
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
