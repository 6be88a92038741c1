// SPDX-License-Identifier: MIT
// More than 48 KiB of dynamic shared memory: refused, then allowed by cudaFuncSetAttribute.
#include "../check.h"

template <class T>
__global__ void fill_kernel(T* out, int n) {
  extern __shared__ char shared_bytes[];
  T* shared = reinterpret_cast<T*>(shared_bytes);
  for (int i = threadIdx.x; i < n; i += blockDim.x) shared[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) *out = shared[n - 1] + shared[n / 2];
}

int main() {
  DeviceArray<int> out(1);
  const int bytes = 60 * 1024, n = bytes / sizeof(int);
  int limit = 0;
  CHECK(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  expect("limit", limit >= bytes);
  fill_kernel<<<1, 128, bytes>>>(out.data(), n);
  std::printf("before: %s\n", cudaGetErrorName(cudaGetLastError()));
  fill_kernel<<<1, 128, 48 * 1024>>>(out.data(), 48 * 1024 / 4);
  std::printf("48 KiB: %s\n", cudaGetErrorName(cudaGetLastError()));
  show("out", out.host());
  CHECK(cudaFuncSetAttribute(fill_kernel<int>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  fill_kernel<<<1, 128, bytes>>>(out.data(), n);
  std::printf("after: %s\n", cudaGetErrorName(cudaGetLastError()));
  show("out", out.host());
  fill_kernel<int><<<1, 128, bytes + 1024>>>(out.data(), n);
  std::printf("beyond: %s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("absurd: %s\n",
              cudaGetErrorName(cudaFuncSetAttribute(
                  fill_kernel<int>, cudaFuncAttributeMaxDynamicSharedMemorySize, limit + 1)));
  (void)cudaGetLastError();
}

/* Prints:
limit: ok
before: cudaErrorInvalidValue
48 KiB: cudaSuccess
out: 18431
after: cudaSuccess
out: 23039
beyond: cudaErrorInvalidValue
absurd: cudaErrorInvalidValue
*/
