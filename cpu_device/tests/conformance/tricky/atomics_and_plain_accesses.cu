// SPDX-License-Identifier: MIT
// Atomics and plain accesses to the same places, never without a barrier or a kernel's end between.
#include "../check.h"

__global__ void rounds_kernel(const int* values, int* bins, int* total) {
  __shared__ int local[4];
  const int t = threadIdx.x;
  for (int round = 0; round < 3; ++round) {
    if (t < 4) local[t] = 0;
    __syncthreads();
    atomicAdd(&local[values[t] % 4], 1);
    __syncthreads();
    if (t < 4) atomicAdd(&bins[t], local[t]);
    if (t == 0) atomicAdd(total, local[0] + local[1] + local[2] + local[3]);
    __syncthreads();
  }
}

__global__ void finish_kernel(int* bins, const int* total) {
  bins[threadIdx.x] = bins[threadIdx.x] * 100 / *total;
}

int main() {
  std::vector<int> values(64);
  for (int i = 0; i < 64; ++i) values[i] = i < 40 ? i : 1;
  DeviceArray<int> in(values), bins(4), total(1);
  rounds_kernel<<<8, 64>>>(in.data(), bins.data(), total.data());
  finish_kernel<<<1, 4>>>(bins.data(), total.data());
  CHECK_LAUNCH();
  show("total", total.host());
  show("percent", bins.host());
}

/* Prints:
total: 1536
percent: 15 53 15 15
*/
