// SPDX-License-Identifier: MIT
// A reduction whose last levels need no block barrier, because __syncwarp stands between them.
#include "../check.h"

__device__ void last_levels(volatile int* cells, int lane) {
  for (int by = 16; by > 0; by /= 2) {
    const int other = lane < by ? cells[lane + by] : 0;
    __syncwarp();
    if (lane < by) cells[lane] = cells[lane] + other;
    __syncwarp();
  }
}

__global__ void sum_kernel(const int* in, int* out) {
  __shared__ int cells[256];
  const int t = threadIdx.x;
  cells[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int half = 128; half >= 32; half /= 2) {
    if (t < half) cells[t] += cells[t + half];
    __syncthreads();
  }
  if (t < 32) last_levels(cells, t);
  if (t == 0) out[blockIdx.x] = cells[0];
}

int main() {
  std::vector<int> values(1024);
  for (int i = 0; i < 1024; ++i) values[i] = i;
  DeviceArray<int> in(values), out(4);
  sum_kernel<<<4, 256>>>(in.data(), out.data());
  CHECK_LAUNCH();
  show("sums", out.host());
}

/* Prints:
sums: 32640 98176 163712 229248
*/
