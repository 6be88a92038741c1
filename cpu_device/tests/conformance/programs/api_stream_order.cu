// SPDX-License-Identifier: MIT
// Work of one stream runs in order; the legacy default stream waits for, and holds up, blocking
// streams.
#include "../check.h"

__global__ void append_kernel(int* log, int* length, int value) {
  for (volatile int i = 0; i < 2000; i = i + 1) {
  }
  log[(*length)++] = value;
}

int main() {
  DeviceArray<int> log(16), length(1);
  cudaStream_t a, b;
  CHECK(cudaStreamCreate(&a));
  CHECK(cudaStreamCreate(&b));
  for (int i = 0; i < 4; ++i) append_kernel<<<1, 1, 0, a>>>(log.data(), length.data(), i);
  append_kernel<<<1, 1>>>(log.data(), length.data(), 100);        // after all of a
  append_kernel<<<1, 1, 0, b>>>(log.data(), length.data(), 200);  // after that
  append_kernel<<<1, 1, 0, cudaStreamLegacy>>>(log.data(), length.data(), 300);
  append_kernel<<<1, 1, 0, a>>>(log.data(), length.data(), 400);
  CHECK(cudaGetLastError());
  CHECK(cudaStreamSynchronize(a));
  int host[16], n = 0;
  CHECK(cudaMemcpy(&n, length.data(), sizeof(n), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(host, log.data(), sizeof(host), cudaMemcpyDeviceToHost));
  show("order", std::vector<int>(host, host + n));
  append_kernel<<<1, 1, 0, b>>>(log.data(), length.data(), 500);
  CHECK(cudaMemcpy(host, log.data(), sizeof(host), cudaMemcpyDeviceToHost));  // waits for b
  show("a copy waits", host[8]);
  CHECK(cudaStreamDestroy(a));
  CHECK(cudaStreamDestroy(b));
}

/* Prints:
order: 0 1 2 3 100 200 300 400
a copy waits: 500
*/
