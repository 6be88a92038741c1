// SPDX-License-Identifier: MIT
// cudaHostRegister makes ordinary memory usable from kernels; registering twice is an error.
#include "../check.h"

__global__ void add_kernel(int* data, int n, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += by;
}

int main() {
  const int n = 3000;
  std::vector<int> host(n, 5);
  CHECK(cudaHostRegister(host.data(), n * sizeof(int), cudaHostRegisterMapped));
  int* d_host = nullptr;
  CHECK(cudaHostGetDevicePointer(&d_host, host.data(), 0));
  add_kernel<<<12, 256>>>(d_host, n, 10);
  CHECK_LAUNCH();
  int wrong = 0;
  for (int value : host) wrong += value != 15;
  show("wrong", wrong);
  std::printf("again: %s\n", cudaGetErrorName(cudaHostRegister(host.data(), n * sizeof(int), 0)));
  CHECK(cudaHostUnregister(host.data()));
  std::printf("no longer: %s\n", cudaGetErrorName(cudaHostUnregister(host.data())));
  std::printf("last: %s\n", cudaGetErrorName(cudaGetLastError()));
}

/* Prints:
wrong: 0
again: cudaErrorHostMemoryAlreadyRegistered
no longer: cudaErrorHostMemoryNotRegistered
last: cudaErrorHostMemoryNotRegistered
*/
