// SPDX-License-Identifier: MIT
// A fault in a kernel is sticky: unlike a launch error it stays, whoever asks.
#include "../check.h"

__global__ void fault_kernel(int* nowhere) {
  *nowhere = 1;
}

int main() {
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 4));
  fault_kernel<<<1, 1>>>(nullptr);
  const auto name = [](cudaError_t error) { return cudaGetErrorName(error); };
  std::printf("synchronize: %s\n", name(cudaDeviceSynchronize()));
  std::printf("get: %s\n", name(cudaGetLastError()));
  std::printf("get again: %s\n", name(cudaGetLastError()));
  std::printf("synchronize again: %s\n", name(cudaDeviceSynchronize()));
  std::printf("malloc: %s\n", name(cudaMalloc(&d_data, 4)));
  std::printf("peek: %s\n", name(cudaPeekAtLastError()));
}

/* Prints:
synchronize: cudaErrorIllegalAddress
get: cudaErrorIllegalAddress
get again: cudaSuccess
synchronize again: cudaErrorIllegalAddress
malloc: cudaErrorIllegalAddress
peek: cudaErrorIllegalAddress
*/
