// SPDX-License-Identifier: MIT
// The weights are copied on one stream, and the kernel that reads them runs on another.
#include "../check.h"

__constant__ float c_weights[4];

__global__ void scale_kernel(float* data) {
  data[threadIdx.x] *= c_weights[threadIdx.x % 4];
}

int main() {
  DeviceArray<float> data(64);
  float* weights = nullptr;
  CHECK(cudaMallocHost(&weights, sizeof c_weights));
  for (int i = 0; i < 4; ++i) weights[i] = static_cast<float>(i);
  cudaStream_t first, second;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpyToSymbolAsync(c_weights, weights, 16, 0, cudaMemcpyDefault, first));  // fault
  scale_kernel<<<1, 64, 0, second>>>(data.data());                                      // fault
  CHECK_LAUNCH();
  CHECK(cudaFreeHost(weights));
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
}

/* Reports:
kind = "race_across_streams"
lines = [20, 21]
mentions = ["cudaMemcpyToSymbolAsync", "`c_weights`", "scale_kernel"]
mode = "check"
*/
