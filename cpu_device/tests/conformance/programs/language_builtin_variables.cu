// SPDX-License-Identifier: MIT
// threadIdx, blockIdx, blockDim, gridDim in three dimensions, and warpSize.
#include "../check.h"

__global__ void where_kernel(int* out) {
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int threads = blockDim.x * blockDim.y * blockDim.z;
  out[block * threads + thread] = 100000 * blockIdx.z + 10000 * blockIdx.y + 1000 * blockIdx.x +
                                  100 * threadIdx.z + 10 * threadIdx.y + threadIdx.x;
}

__global__ void sizes_kernel(int* out) {
  const uint3 thread = threadIdx;
  const dim3 grid = gridDim;
  if (thread.x + thread.y + thread.z != 0 || blockIdx.x + blockIdx.y + blockIdx.z != 0) return;
  const int values[] = {(int)grid.x,     (int)grid.y,     (int)grid.z, (int)blockDim.x,
                        (int)blockDim.y, (int)blockDim.z, warpSize};
  for (int i = 0; i < 7; ++i) out[i] = values[i];
}

int main() {
  const dim3 grid(2, 3, 2), block(3, 2, 4);
  const int n = 12 * 24;
  DeviceArray<int> out(n), sizes(7);
  where_kernel<<<grid, block>>>(out.data());
  sizes_kernel<<<grid, block>>>(sizes.data());
  CHECK_LAUNCH();
  const std::vector<int> host = out.host();
  int wrong = 0, i = 0;
  for (int b = 0; b < 12; ++b) {
    for (int t = 0; t < 24; ++t) {
      const int place = 100000 * (b / 6) + 10000 * (b / 2 % 3) + 1000 * (b % 2);
      wrong += host[i++] != place + 100 * (t / 6) + 10 * (t / 3 % 2) + t % 3;
    }
  }
  show("wrong", wrong);
  show("first, one, last", host[0], host[100], host[n - 1]);
  show("sizes", sizes.host());
}

/* Prints:
wrong: 0
first, one, last: 0 20011 121312
sizes: 2 3 2 3 2 4 32
*/
