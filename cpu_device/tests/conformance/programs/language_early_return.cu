// SPDX-License-Identifier: MIT
// Threads that return before a barrier do not hold up the others.
#include "../check.h"

__global__ void tail_kernel(const int* in, int* out, int n) {
  __shared__ int sum;
  const int i = threadIdx.x;
  if (i == 0) sum = 0;
  if (i >= n) return;
  __syncthreads();
  atomicAdd(&sum, in[i]);
  __syncthreads();
  out[i] = sum;
}

__global__ void halving_kernel(int* out) {
  __shared__ int alive[8];
  for (int step = 0, n = blockDim.x; n > 0; ++step, n /= 2) {
    if (threadIdx.x == 0) alive[step] = 0;
    __syncthreads();
    atomicAdd(&alive[step], 1);
    __syncthreads();
    if (threadIdx.x == 0) out[step] = alive[step];
    if (threadIdx.x >= n / 2) return;
  }
}

int main() {
  DeviceArray<int> in(std::vector<int>(100, 3)), out(100), steps(8);
  tail_kernel<<<1, 128>>>(in.data(), out.data(), 100);
  CHECK_LAUNCH();
  show("first and last", out.host()[0], out.host()[99]);
  halving_kernel<<<1, 128>>>(steps.data());
  CHECK_LAUNCH();
  show("alive", steps.host());
}

/* Prints:
first and last: 300 300
alive: 128 64 32 16 8 4 2 1
*/
