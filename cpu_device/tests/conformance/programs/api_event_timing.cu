// SPDX-License-Identifier: MIT
// Events around kernels: elapsed times, queries, and the errors of events that cannot tell.
#include "../check.h"

__global__ void work_kernel(float* data) {
  const unsigned own = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[own];
  for (int i = 0; i < 1000; ++i) x = x * 0.5f + 1.0f;
  data[own] = x;
}

int main() {
  DeviceArray<float> data(64);
  cudaEvent_t start, stop, untimed;
  float elapsed_ms = -1, none_ms = -1;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  std::printf("never recorded: %s\n",
              cudaGetErrorName(cudaEventElapsedTime(&none_ms, start, stop)));
  std::printf("its query: %s\n", cudaGetErrorName(cudaEventQuery(start)));
  (void)cudaGetLastError();
  CHECK(cudaEventRecord(start));
  for (int i = 0; i < 5; ++i) work_kernel<<<2, 32>>>(data.data());
  CHECK(cudaEventRecord(stop, 0));
  CHECK(cudaEventSynchronize(stop));
  CHECK(cudaEventElapsedTime(&elapsed_ms, start, stop));
  expect("elapsed", elapsed_ms >= 0 && elapsed_ms < 10000);
  std::printf("query: %s\n", cudaGetErrorName(cudaEventQuery(stop)));
  CHECK(cudaEventElapsedTime(&none_ms, stop, stop));
  show("same event", none_ms);
  CHECK(cudaEventElapsedTime(&none_ms, stop, start));
  expect("backwards", none_ms <= 0 && none_ms == -elapsed_ms);
  CHECK(cudaEventRecord(untimed));
  CHECK(cudaEventSynchronize(untimed));
  std::printf("untimed: %s\n", cudaGetErrorName(cudaEventElapsedTime(&none_ms, start, untimed)));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaEventDestroy(untimed));
}

/* Prints:
never recorded: cudaErrorInvalidResourceHandle
its query: cudaSuccess
elapsed: ok
query: cudaSuccess
same event: 0
backwards: ok
untimed: cudaErrorInvalidResourceHandle
*/
