// SPDX-License-Identifier: MIT
// Atomic sums of doubles keep the digits that floats lose.
#include "../check.h"

__global__ void add_kernel(double* sums, double value) {
  __shared__ double sum;
  if (threadIdx.x == 0) sum = 1;
  __syncthreads();
  atomicAdd(&sum, value);
  atomicAdd(&sums[0], value);
  atomicAdd_block(&sums[2 + blockIdx.x], value);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&sums[1], sum);
}

int main() {
  DeviceArray<double> sums({1, 1, 1, 1});
  const double value = 1.0 / (1ull << 40);  // a power of two: every order gives the same sum
  add_kernel<<<2, 256>>>(sums.data(), value);
  CHECK_LAUNCH();
  for (const double sum : sums.host()) {
    const double whole = sum > 2 ? 3 : 1;
    std::printf("%.0f + %.0f\n", whole, (sum - whole) / value);
  }
}

/* Prints:
1 + 512
3 + 512
1 + 256
1 + 256
*/
