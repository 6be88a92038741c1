// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>

#include <cstdio>

float axpy();

int main() {
  std::printf("%g on %d device\n", axpy(), [] {
    int count = 0;
    cudaGetDeviceCount(&count);
    return count;
  }());
}
