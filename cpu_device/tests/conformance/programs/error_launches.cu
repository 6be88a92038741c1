// SPDX-License-Identifier: MIT
// Configurations that no device takes, by CUDA's names, and that nothing of such a launch runs.
#include "../check.h"

__global__ void touch_kernel(int* out) {
  atomicAdd(out, 1);
}

int main() {
  DeviceArray<int> out(1);
  int* d = out.data();
  const auto error = [](const char* name) {
    std::printf("%s: %s\n", name, cudaGetErrorName(cudaGetLastError()));
  };
  touch_kernel<<<1, 2048>>>(d);
  error("2048 threads");
  touch_kernel<<<1, dim3(32, 33)>>>(d);
  error("32 x 33 threads");
  touch_kernel<<<1, dim3(1, 1, 65)>>>(d);
  error("65 threads deep");
  touch_kernel<<<0, 32>>>(d);
  error("no blocks");
  touch_kernel<<<1, 0>>>(d);
  error("no threads");
  touch_kernel<<<dim3(2, 0, 2), 32>>>(d);
  error("no blocks in y");
  touch_kernel<<<dim3(1, 65536), 32>>>(d);
  error("65536 blocks in y");
  touch_kernel<<<dim3(1, 1, 65536), 32>>>(d);
  error("65536 blocks in z");
  touch_kernel<<<2147483648u, 32>>>(d);
  error("2^31 blocks");
  int negative = -1;
  touch_kernel<<<negative, 32>>>(d);
  error("-1 blocks");
  touch_kernel<<<1, 32, 49153>>>(d);
  error("49153 bytes of shared memory");
  touch_kernel<<<1, 32, 1 << 30>>>(d);
  error("1 GiB of shared memory");
  CHECK(cudaDeviceSynchronize());
  show("touched", out.host());
  touch_kernel<<<dim3(1, 65535, 1), 1>>>(d);
  error("most blocks in y");
  touch_kernel<<<1, dim3(16, 1, 64), 48 * 1024>>>(d);
  error("most threads, in z, and shared memory");
  CHECK(cudaDeviceSynchronize());
  show("touched", out.host());
}

/* Prints:
2048 threads: cudaErrorInvalidValue
32 x 33 threads: cudaErrorInvalidValue
65 threads deep: cudaErrorInvalidValue
no blocks: cudaErrorInvalidValue
no threads: cudaErrorInvalidValue
no blocks in y: cudaErrorInvalidValue
65536 blocks in y: cudaErrorInvalidValue
65536 blocks in z: cudaErrorInvalidValue
2^31 blocks: cudaErrorInvalidValue
-1 blocks: cudaErrorInvalidValue
49153 bytes of shared memory: cudaErrorInvalidValue
1 GiB of shared memory: cudaErrorInvalidValue
touched: 0
most blocks in y: cudaSuccess
most threads, in z, and shared memory: cudaSuccess
touched: 66559
*/
