// SPDX-License-Identifier: MIT
// What C++ has besides the functions of C: events with flags, managed memory attached to a stream.
#include "../check.h"

__global__ void fill(int* x, int value) {
  x[threadIdx.x] = value + static_cast<int>(threadIdx.x);
}

int main() {
  cudaEvent_t event;
  CHECK(cudaEventCreate(&event, cudaEventDisableTiming));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  int* x = nullptr;
  CHECK(cudaMallocManaged(&x, 4 * sizeof(int)));
  CHECK(cudaStreamAttachMemAsync(stream, x));
  CHECK(cudaStreamAttachMemAsync(stream, x, 0, cudaMemAttachSingle));
  fill<<<1, 4, 0, stream>>>(x, 10);
  CHECK(cudaEventRecord(event, stream));
  CHECK(cudaEventSynchronize(event));
  show("x", x[0], x[1], x[2], x[3]);
  float ms = 0;
  std::printf("elapsed: %s\n", cudaGetErrorName(cudaEventElapsedTime(&ms, event, event)));
  CHECK(cudaFree(x));
  CHECK(cudaEventDestroy(event));
  CHECK(cudaStreamDestroy(stream));
}

/* Prints:
x: 10 11 12 13
elapsed: cudaErrorInvalidResourceHandle
*/
