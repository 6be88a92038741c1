// SPDX-License-Identifier: MIT
// The default stream clears an array, and a kernel of a stream that does not wait for it adds to it.
#include "../check.h"

__global__ void add_kernel(float* sums) {
  atomicAdd(&sums[threadIdx.x % 8], 1.0f);
}

int main() {
  DeviceArray<float> sums(8);
  cudaStream_t first, second;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemset(sums.data(), 0, 8 * sizeof(float)));  // fault
  add_kernel<<<1, 64, 0, first>>>(sums.data());          // fault
  CHECK_LAUNCH();
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
}

/* Reports:
kind = "race_across_streams"
lines = [15, 16]
mentions = ["cudaMemset", "the default stream", "add_kernel"]
mode = "check"
*/
