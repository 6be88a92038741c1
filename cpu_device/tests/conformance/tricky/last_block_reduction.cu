// SPDX-License-Identifier: MIT
// Blocks leave partial sums; the last to finish, known by an atomic counter, adds them up.
#include "../check.h"

__device__ unsigned finished = 0;

__global__ void sum_kernel(const float* in, int n, volatile float* partial, float* out) {
  __shared__ float cells[128];
  __shared__ bool last;
  const int t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  cells[t] = sum;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (t < half) cells[t] += cells[t + half];
    __syncthreads();
  }
  if (t == 0) {
    partial[blockIdx.x] = cells[0];
    __threadfence();  // the partial sum is seen before the count
    last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || t != 0) return;
  __threadfence();
  sum = 0;
  for (unsigned block = 0; block < gridDim.x; ++block) sum += partial[block];
  *out = sum;
}

int main() {
  const int n = 10000;
  std::vector<float> values(n);
  for (int i = 0; i < n; ++i) values[i] = i % 8 * 0.5f;
  DeviceArray<float> in(values), partial(20), out(1);
  for (int round = 0; round < 3; ++round) {
    sum_kernel<<<20, 128>>>(in.data(), n, partial.data(), out.data());
    CHECK_LAUNCH();
    show("sum", out.host());
  }
}

/* Prints:
sum: 17500
sum: 17500
sum: 17500
*/
