// SPDX-License-Identifier: MIT
// A launch of more threads than the kernel's launch bounds allow is refused.
#include "../check.h"

constexpr int kMost = 64;

__global__ void __launch_bounds__(32) small_kernel(int* count) {
  atomicAdd(count, 1);
}
template <int kThreads>
__global__ void __launch_bounds__(2 * kThreads, 1) templated_kernel(int* count) {
  atomicAdd(count, 1);
}
namespace {
__launch_bounds__(kMost) __global__ void hidden_kernel(int* count) {
  atomicAdd(count, 1);
}
}  // namespace

void tell(const char* what) {
  std::printf("%s: %s\n", what, cudaGetErrorName(cudaGetLastError()));
}

int main() {
  DeviceArray<int> count(1);
  small_kernel<<<1, 32>>>(count.data());
  tell("32 of 32");
  small_kernel<<<1, 256>>>(count.data());
  tell("256 of 32");
  templated_kernel<64><<<1, dim3(64, 2)>>>(count.data());
  tell("128 of 128");
  templated_kernel<32><<<1, dim3(64, 2)>>>(count.data());
  tell("128 of 64");
  hidden_kernel<<<3, kMost>>>(count.data());
  tell("64 of 64");
  hidden_kernel<<<3, kMost + 1>>>(count.data());
  tell("65 of 64");
  std::printf("threads: %d\n", count.host()[0]);
}

/* Prints:
32 of 32: cudaSuccess
256 of 32: cudaErrorInvalidValue
128 of 128: cudaSuccess
128 of 64: cudaErrorInvalidValue
64 of 64: cudaSuccess
65 of 64: cudaErrorInvalidValue
threads: 352
*/
