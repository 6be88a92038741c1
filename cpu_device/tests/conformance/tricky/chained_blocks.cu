// SPDX-License-Identifier: MIT
// Blocks take numbers, and each waits for the sum of the one before it: flags, fences, no race.
#include "../check.h"

__global__ void chain_kernel(const int* in, int* out, int* next, int* flags, int* sums) {
  __shared__ int number, before;
  const int t = threadIdx.x;
  if (t == 0) number = atomicAdd(next, 1);
  __syncthreads();
  const int block = number, i = block * 32 + t;
  int value = in[i];
  for (int by = 1; by < 32; by *= 2) {
    const int left = __shfl_up_sync(0xffffffff, value, by);
    if (t >= by) value += left;
  }
  if (t == 31) {
    int sum = 0;
    if (block > 0) {
      while (atomicAdd(&flags[block - 1], 0) == 0) {
      }
      __threadfence();
      sum = *static_cast<volatile int*>(&sums[block - 1]);
    }
    before = sum;
    sums[block] = sum + value;
    __threadfence();
    atomicExch(&flags[block], 1);
  }
  __syncthreads();
  out[i] = before + value;
}

int main() {
  const int blocks = 16, n = 32 * blocks;
  std::vector<int> values(n, 1);
  DeviceArray<int> in(values), out(n), next(1), flags(blocks), sums(blocks);
  chain_kernel<<<blocks, 32>>>(in.data(), out.data(), next.data(), flags.data(), sums.data());
  CHECK_LAUNCH();
  const std::vector<int> scan = out.host();
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += scan[i] != i + 1;
  show("wrong", wrong);
}

/* Prints:
wrong: 0
*/
