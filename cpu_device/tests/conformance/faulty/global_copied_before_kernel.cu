// SPDX-License-Identifier: MIT
// The result is copied on another stream, and nothing makes the copy wait for the kernel.
#include "../check.h"

__global__ void fill_kernel(int* out) {
  out[threadIdx.x] = threadIdx.x;
}

int main() {
  int *pinned = nullptr, *d_out = nullptr;
  cudaStream_t compute, copy;
  CHECK(cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&copy, cudaStreamNonBlocking));
  CHECK(cudaMallocHost(&pinned, 320));
  CHECK(cudaMalloc(&d_out, 320));
  fill_kernel<<<1, 80, 0, compute>>>(d_out);
  CHECK(cudaMemcpyAsync(pinned, d_out, 320, cudaMemcpyDeviceToHost, copy));  // fault
  CHECK(cudaStreamSynchronize(copy));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(d_out));
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaStreamDestroy(compute));
  CHECK(cudaStreamDestroy(copy));
}

/* Reports:
kind = "uninitialised_global"
line = 17
mentions = ["320 bytes"]
mode = "check"
*/
