// SPDX-License-Identifier: MIT
// Choosing a device, versions, free memory, and the error for a device that does not exist.
#include "../check.h"

int main() {
  int count = 0, current = -1, runtime = 0, driver = 0;
  CHECK(cudaGetDeviceCount(&count));
  expect("count", count >= 1);
  CHECK(cudaSetDevice(0));
  CHECK(cudaGetDevice(&current));
  show("current", current);
  std::printf("no such device: %s\n", cudaGetErrorName(cudaSetDevice(count)));
  std::printf("negative: %s\n", cudaGetErrorName(cudaSetDevice(-1)));
  cudaDeviceProp properties;
  std::printf("its properties: %s\n",
              cudaGetErrorName(cudaGetDeviceProperties(&properties, count)));
  std::printf("last error: %s\n", cudaGetErrorName(cudaGetLastError()));
  CHECK(cudaGetDevice(&current));
  show("still", current);
  CHECK(cudaRuntimeGetVersion(&runtime));
  CHECK(cudaDriverGetVersion(&driver));
  expect("versions", runtime >= 11000 && driver >= 11000);
  size_t free_bytes = 0, total_bytes = 0;
  CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  expect("memory", free_bytes > 0 && free_bytes <= total_bytes);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaDeviceReset());
}

/* Prints:
count: ok
current: 0
no such device: cudaErrorInvalidDevice
negative: cudaErrorInvalidDevice
its properties: cudaErrorInvalidDevice
last error: cudaErrorInvalidDevice
still: 0
versions: ok
memory: ok
*/
