// SPDX-License-Identifier: MIT
// cudaPeekAtLastError keeps the last error, cudaGetLastError resets it; good calls do not.
#include "../check.h"

__global__ void touch_kernel(int* out) {
  *out = 1;
}

int main() {
  DeviceArray<int> out(1);
  const auto peek = [] { std::printf("peek: %s\n", cudaGetErrorName(cudaPeekAtLastError())); };
  const auto get = [] { std::printf("get: %s\n", cudaGetErrorName(cudaGetLastError())); };
  peek();
  touch_kernel<<<1, 1025>>>(out.data());
  peek();
  peek();
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemset(out.data(), 0, sizeof(int)));
  touch_kernel<<<1, 1>>>(out.data());
  peek();  // a good launch does not hide it
  get();
  get();
  touch_kernel<<<1, 1, 1 << 20>>>(out.data());
  touch_kernel<<<0, 1>>>(out.data());
  get();  // the later of two
  get();
  cudaFree(out.data() + 1);
  get();
  CHECK(cudaDeviceSynchronize());
  show("touched", out.host());
}

/* Prints:
peek: cudaSuccess
peek: cudaErrorInvalidValue
peek: cudaErrorInvalidValue
peek: cudaErrorInvalidValue
get: cudaErrorInvalidValue
get: cudaSuccess
get: cudaErrorInvalidValue
get: cudaSuccess
get: cudaErrorInvalidValue
touched: 1
*/
