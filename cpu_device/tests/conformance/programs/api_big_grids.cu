// SPDX-License-Identifier: MIT
// Grids of many blocks, in one, two and three dimensions.
#include "../check.h"

__global__ void count_kernel(unsigned long long* count, unsigned long long* sum) {
  const unsigned long long block =
      (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x +
      blockIdx.x;
  if (threadIdx.x != 0) return;
  atomicAdd(count, 1ull);
  atomicAdd(sum, block);
}

int main() {
  DeviceArray<unsigned long long> count(1), sum(1);
  for (dim3 grid : {dim3(300000), dim3(3, 65535), dim3(2, 3, 20000), dim3(70000, 2)}) {
    CHECK(cudaMemset(count.data(), 0, 8));
    CHECK(cudaMemset(sum.data(), 0, 8));
    count_kernel<<<grid, 2>>>(count.data(), sum.data());
    CHECK_LAUNCH();
    const unsigned long long n = 1ull * grid.x * grid.y * grid.z;
    show("blocks", count.host()[0]);
    expect("sum", sum.host()[0] == n * (n - 1) / 2);
  }
}

/* Prints:
blocks: 300000
sum: ok
blocks: 196605
sum: ok
blocks: 120000
sum: ok
blocks: 140000
sum: ok
*/
