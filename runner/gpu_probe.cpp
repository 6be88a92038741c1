// SPDX-License-Identifier: MIT
// convkit-gpu-probe: prints "sm_90 NVIDIA H200" for the first GPU and exits with 0, or why there is
// none and exits with 1. It is a separate process because the grader never links CUDA.
#include <cuda_runtime.h>

#include <cstdio>

int main() {
  cudaDeviceProp properties{};
  cudaError_t error = cudaGetDeviceProperties(&properties, 0);
  if (error == cudaSuccess) error = cudaFree(nullptr);  // makes the driver start in earnest
  if (error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  std::printf("sm_%d%d %s\n", properties.major, properties.minor, properties.name);
  return 0;
}
