// SPDX-License-Identifier: MIT
// Queries and synchronisation of streams; destroying one with work in it.
#include "../check.h"

__global__ void add_kernel(int* data) {
  atomicAdd(data, 1);
}

int main() {
  DeviceArray<int> data(1);
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamDefault));
  std::printf("empty: %s\n", cudaGetErrorName(cudaStreamQuery(stream)));
  for (int i = 0; i < 10; ++i) add_kernel<<<4, 32, 0, stream>>>(data.data());
  const cudaError_t early = cudaStreamQuery(stream);
  expect("early", early == cudaSuccess || early == cudaErrorNotReady);
  (void)cudaGetLastError();
  CHECK(cudaStreamSynchronize(stream));
  std::printf("after: %s\n", cudaGetErrorName(cudaStreamQuery(stream)));
  show("count", data.host());
  add_kernel<<<4, 32, 0, stream>>>(data.data());
  CHECK(cudaStreamDestroy(stream));  // what is queued still runs
  CHECK(cudaDeviceSynchronize());
  show("count", data.host());
  CHECK(cudaStreamSynchronize(0));
  CHECK(cudaStreamQuery(cudaStreamPerThread));
}

/* Prints:
empty: cudaSuccess
early: ok
after: cudaSuccess
count: 1280
count: 1408
*/
