// SPDX-License-Identifier: MIT
// A failing assert ends the kernel with cudaErrorAssert; its words go to stderr.
#include <cassert>

#include "../check.h"

__global__ void assert_kernel(int limit, int* reached) {
  if (threadIdx.x == 0 && blockIdx.x == 0) *reached = 1;
  assert(static_cast<int>(threadIdx.x) < limit);
}

int main() {
  int* reached = nullptr;
  CHECK(cudaMallocHost(&reached, sizeof(int)));
  *reached = 0;
  assert_kernel<<<2, 32>>>(32, reached);
  CHECK_LAUNCH();
  show("held", *reached);
  assert_kernel<<<1, 32>>>(5, reached);
  std::printf("launch: %s\n", cudaGetErrorName(cudaPeekAtLastError()));
  std::printf("synchronize: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}

/* Prints:
held: 1
launch: cudaSuccess
synchronize: cudaErrorAssert
device-side assert triggered
*/
