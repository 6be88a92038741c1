// SPDX-License-Identifier: MIT
// Two shared buffers change places: one barrier a step is enough.
#include "../check.h"

__global__ void diffuse_kernel(int* data, int steps) {
  __shared__ int buffers[2][64];
  const int t = threadIdx.x;
  int from = 0;
  buffers[0][t] = data[t];
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    const int left = t > 0 ? buffers[from][t - 1] : 0, right = t < 63 ? buffers[from][t + 1] : 0;
    buffers[1 - from][t] = left + right;
    from = 1 - from;
    __syncthreads();
  }
  data[t] = buffers[from][t];
}

int main() {
  std::vector<int> values(64);
  values[31] = 1;
  DeviceArray<int> data(values);
  diffuse_kernel<<<1, 64>>>(data.data(), 8);
  CHECK_LAUNCH();
  const std::vector<int> row = data.host();
  show("Pascal's row", std::vector<int>(&row[22], &row[41]));
}

/* Prints:
Pascal's row: 0 1 0 8 0 28 0 56 0 70 0 56 0 28 0 8 0 1 0
*/
