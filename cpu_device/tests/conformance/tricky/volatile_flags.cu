// SPDX-License-Identifier: MIT
// Volatile flags in global memory, each with its fence: turns that blocks take, a sum behind a
// lock, a flag that every block raises, and one that all look at. No race.
#include "../check.h"

__global__ void turns_kernel(int* next, int* turns, int* sum) {
  volatile int* turn = turns;
  const int own = atomicAdd(next, 1);
  while (*turn != own) {
  }
  __threadfence();
  volatile int* total = sum;
  *total = *total + 1;
  __threadfence();
  *turn = own + 1;
}

__global__ void lock_kernel(int* lock, int* sum) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  volatile int* total = sum;
  *total = *total + 1;
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void raise_kernel(int* flag, int* seen) {
  volatile int* changed = flag;
  if (*changed == 0) *changed = 1;
  *changed = *changed | 1;
  seen[blockIdx.x * blockDim.x + threadIdx.x] = *changed;
}

// Threads that take the same element one after the other, with a barrier between.
__global__ void barrier_kernel(int* sum) {
  volatile int* total = sum;
  for (unsigned t = 0; t < blockDim.x; ++t) {
    if (threadIdx.x == t) *total = *total + 1;
    __syncthreads();
  }
}

int main() {
  DeviceArray<int> numbers(std::vector<int>(7, 0)), seen(64);
  turns_kernel<<<8, 1>>>(numbers.data() + 6, numbers.data(), numbers.data() + 1);
  CHECK_LAUNCH();
  lock_kernel<<<8, 32>>>(numbers.data() + 2, numbers.data() + 3);
  CHECK_LAUNCH();
  raise_kernel<<<2, 32>>>(numbers.data() + 4, seen.data());
  CHECK_LAUNCH();
  barrier_kernel<<<1, 64>>>(numbers.data() + 5);
  CHECK_LAUNCH();
  const std::vector<int> now = numbers.host();
  show("turns", now[0], now[1]);
  show("lock", now[2], now[3]);
  show("flag", now[4]);
  show("barriers", now[5]);
}

/* Prints:
turns: 8 8
lock: 0 8
flag: 1
barriers: 64
*/
