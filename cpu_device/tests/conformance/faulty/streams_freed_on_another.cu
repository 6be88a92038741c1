// SPDX-License-Identifier: MIT
// Memory is freed on another stream than that of the kernel that uses it.
#include "../check.h"

__global__ void fill_kernel(float* data) {
  data[threadIdx.x] = threadIdx.x;
}

int main() {
  float* scratch = nullptr;
  cudaStream_t first, second;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK(cudaMallocAsync(&scratch, 64 * sizeof(float), first));
  fill_kernel<<<1, 64, 0, first>>>(scratch);  // fault
  CHECK(cudaFreeAsync(scratch, second));      // fault
  CHECK_LAUNCH();
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
}

/* Reports:
kind = "race_across_streams"
lines = [15, 16]
mentions = ["cudaFreeAsync", "fill_kernel", "frees"]
mode = "check"
*/
