// SPDX-License-Identifier: MIT
// A macro that runs a launch and tells it as text, as checked calls do.
#include <cstdio>

#include "../check.h"

__device__ int runs;

template <int kAdd>
__global__ void count() {
  atomicAdd(&runs, kAdd);
}

#define TOLD(...) (__VA_ARGS__, "told: " #__VA_ARGS__)
#define AS_TEXT(x) #x

int main() {
  std::puts(TOLD(count<1><<<1, 2>>>()));
  const dim3 grid(2);
  std::puts(TOLD(count<10><<<grid, dim3(3, 1), 0>>>()));
  std::puts(AS_TEXT(no launch));
  CHECK(cudaDeviceSynchronize());
  int result = 0;
  CHECK(cudaMemcpyFromSymbol(&result, runs, sizeof result));
  std::printf("%d\n", result);
}

/* Prints:
told: count<1><<<1, 2>>>()
told: count<10><<<grid, dim3(3, 1), 0>>>()
no launch
62
*/
