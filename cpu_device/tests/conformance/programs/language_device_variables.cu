// SPDX-License-Identifier: MIT
// __device__ variables keep their value from kernel to kernel and are read and written by the host.
#include "../check.h"

__device__ int counter = 5;
__device__ float table[3] = {1.5f, 2.5f, 3.5f};
static __device__ unsigned long long total;
namespace inner {
__device__ int hidden = 40;
}

__device__ int bump(int by) {
  return atomicAdd(&counter, by);
}

__global__ void count_kernel() {
  bump(1);
  atomicAdd(&total, 1ull << 32);
  if (blockIdx.x != 0) return;  // the rest is no atomic
  if (threadIdx.x < 3) table[threadIdx.x] *= 2.0f;
  if (threadIdx.x == 0) inner::hidden += 2;
}

int main() {
  count_kernel<<<1, 32>>>();
  count_kernel<<<1, 64>>>();
  CHECK_LAUNCH();
  int count = 0, hidden = 0;
  float values[3] = {};
  unsigned long long sum = 0;
  CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof(count)));
  CHECK(cudaMemcpyFromSymbol(values, table, sizeof(values)));
  CHECK(cudaMemcpyFromSymbol(&sum, total, sizeof(sum)));
  CHECK(cudaMemcpyFromSymbol(&hidden, inner::hidden, sizeof(hidden)));
  show("counter", count);
  show("table", values[0], values[1], values[2]);
  show("total", sum);
  show("hidden", hidden);
  const int restart = -7;
  CHECK(cudaMemcpyToSymbol(counter, &restart, sizeof(restart)));
  count_kernel<<<2, 8>>>();
  CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof(count)));
  show("counter", count);
}

/* Prints:
counter: 101
table: 6 10 14
total: 412316860416
hidden: 44
counter: 9
*/
