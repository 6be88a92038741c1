// SPDX-License-Identifier: MIT
// Mistakes made on purpose, to see CUDA's error codes.
#include <cassert>

#include "../check.h"
#include "../parts.h"

// A failing assert ends the kernel with cudaErrorAssert; its words go to stderr.
namespace assert {

__global__ void assert_kernel(int limit, int* reached) {
  if (threadIdx.x == 0 && blockIdx.x == 0) *reached = 1;
  assert(static_cast<int>(threadIdx.x) < limit);
}

PART(assert) {
  int* reached = nullptr;
  CHECK(cudaMallocHost(&reached, sizeof(int)));
  *reached = 0;
  assert_kernel<<<2, 32>>>(32, reached);
  CHECK_LAUNCH();
  show("held", *reached);
  assert_kernel<<<1, 32>>>(5, reached);
  std::printf("launch: %s\n", cudaGetErrorName(cudaPeekAtLastError()));
  std::printf("synchronize: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}

}  // namespace assert

/* Prints:
held: 1
launch: cudaSuccess
synchronize: cudaErrorAssert
device-side assert triggered
*/

// Calls with wrong arguments fail with CUDA's codes and leave everything as it was.
namespace calls {

PART(calls) {
  const auto show_error = [](const char* name, cudaError_t error) {
    std::printf("%s: %s, last %s\n", name, cudaGetErrorName(error),
                cudaGetErrorName(cudaGetLastError()));
  };
  int host[4] = {1, 2, 3, 4}, *d_data = nullptr, *other = nullptr;
  show_error("2^40 bytes", cudaMalloc(&other, size_t{1} << 40));
  show_error("2^62 bytes", cudaMalloc(&other, size_t{1} << 62));
  expect("pointer", other == nullptr);
  show_error("null result", cudaMalloc(static_cast<int**>(nullptr), 16));
  CHECK(cudaMalloc(&d_data, sizeof(host)));
  CHECK(cudaMemcpy(d_data, host, sizeof(host), cudaMemcpyHostToDevice));
  show_error("no such direction",
             cudaMemcpy(d_data, host, sizeof(host), static_cast<cudaMemcpyKind>(77)));
  show_error("null source", cudaMemcpy(d_data, nullptr, 4, cudaMemcpyHostToDevice));
  show_error("null target", cudaMemset(nullptr, 0, 4));
  show_error("free of the middle", cudaFree(d_data + 1));
  show_error("free of host memory", cudaFree(host));
  show_error("freeHost of the stack", cudaFreeHost(host));
  show_error("size beyond the end", cudaMemset(d_data, 0, size_t{1} << 40));
  int back[4] = {};
  CHECK(cudaMemcpy(back, d_data, sizeof(back), cudaMemcpyDeviceToHost));
  show("unchanged", back[0], back[1], back[2], back[3]);
  show_error("attribute", cudaDeviceGetAttribute(back, static_cast<cudaDeviceAttr>(100000), 0));
  CHECK(cudaFree(d_data));
  show_error("free again", cudaFree(d_data));
}

}  // namespace calls

/* Prints:
2^40 bytes: cudaErrorMemoryAllocation, last cudaErrorMemoryAllocation
2^62 bytes: cudaErrorMemoryAllocation, last cudaErrorMemoryAllocation
pointer: ok
null result: cudaErrorInvalidValue, last cudaErrorInvalidValue
no such direction: cudaErrorInvalidMemcpyDirection, last cudaErrorInvalidMemcpyDirection
null source: cudaErrorInvalidValue, last cudaErrorInvalidValue
null target: cudaErrorInvalidValue, last cudaErrorInvalidValue
free of the middle: cudaErrorInvalidValue, last cudaErrorInvalidValue
free of host memory: cudaErrorInvalidValue, last cudaErrorInvalidValue
freeHost of the stack: cudaErrorInvalidValue, last cudaErrorInvalidValue
size beyond the end: cudaErrorInvalidValue, last cudaErrorInvalidValue
unchanged: 1 2 3 4
attribute: cudaErrorInvalidValue, last cudaErrorInvalidValue
free again: cudaErrorInvalidValue, last cudaErrorInvalidValue
*/

// cudaPeekAtLastError keeps the last error, cudaGetLastError resets it; good calls do not.
namespace last {

__global__ void touch_kernel(int* out) {
  *out = 1;
}

PART(last) {
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

}  // namespace last

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

// A launch of more threads than the kernel's launch bounds allow is refused.
namespace launch_bounds {

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

PART(launch_bounds) {
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

}  // namespace launch_bounds

/* Prints:
32 of 32: cudaSuccess
256 of 32: cudaErrorInvalidValue
128 of 128: cudaSuccess
128 of 64: cudaErrorInvalidValue
64 of 64: cudaSuccess
65 of 64: cudaErrorInvalidValue
threads: 352
*/

// Configurations that no device takes, by CUDA's names, and that nothing of such a launch runs.
namespace launches {

__global__ void touch_kernel(int* out) {
  atomicAdd(out, 1);
}

PART(launches) {
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

}  // namespace launches

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

// A fault in a kernel is sticky: unlike a launch error it stays, whoever asks.
namespace sticky {

__global__ void fault_kernel(int* nowhere) {
  *nowhere = 1;
}

PART(sticky) {
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 4));
  fault_kernel<<<1, 1>>>(nullptr);
  const auto name = [](cudaError_t error) { return cudaGetErrorName(error); };
  std::printf("synchronize: %s\n", name(cudaDeviceSynchronize()));
  std::printf("get: %s\n", name(cudaGetLastError()));
  std::printf("get again: %s\n", name(cudaGetLastError()));
  std::printf("synchronize again: %s\n", name(cudaDeviceSynchronize()));
  std::printf("malloc: %s\n", name(cudaMalloc(&d_data, 4)));
  std::printf("peek: %s\n", name(cudaPeekAtLastError()));
}

}  // namespace sticky

/* Prints:
synchronize: cudaErrorIllegalAddress
get: cudaErrorIllegalAddress
get again: cudaSuccess
synchronize again: cudaErrorIllegalAddress
malloc: cudaErrorIllegalAddress
peek: cudaErrorIllegalAddress
*/
