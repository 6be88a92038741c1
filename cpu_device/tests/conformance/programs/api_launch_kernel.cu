// SPDX-License-Identifier: MIT
// cudaLaunchKernel: plain kernels, templates, dynamic shared memory, a stream; its errors.
#include "../check.h"

__global__ void add_kernel(int* data, int by, double factor) {
  data[blockIdx.x * blockDim.x + threadIdx.x] += static_cast<int>(by * factor);
}

template <class T>
__global__ void reverse_kernel(T* data) {
  extern __shared__ int reverse_shared[];
  T* values = reinterpret_cast<T*>(reverse_shared);
  values[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}

int main() {
  DeviceArray<int> array({1, 2, 3, 4, 5, 6});
  int* data = array.data();
  int by = 10;
  double factor = 1.5;
  void* arguments[] = {&data, &by, &factor};
  CHECK(cudaLaunchKernel(add_kernel, dim3(2), dim3(3), arguments, 0, 0));
  by = 0;  // arguments were copied
  show("added", array.host());
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  void* one[] = {&data};
  CHECK(cudaLaunchKernel(reverse_kernel<int>, 1, 6, one, 6 * sizeof(int), stream));
  CHECK(cudaStreamSynchronize(stream));
  show("reversed", array.host());
  by = 1, factor = 1;
  CHECK(cudaLaunchKernel((const void*)add_kernel, dim3(2), dim3(3), arguments, 0, 0));
  CHECK(cudaLaunchKernel((void*)add_kernel, 1, 3, arguments, 0, nullptr));
  CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(&reverse_kernel<int>), 1, 6, one,
                         6 * sizeof(int), stream));
  CHECK(cudaStreamSynchronize(stream));
  show("by address", array.host());
  void (*chosen)(int*, int, double) = by > 0 ? add_kernel : nullptr;
  CHECK(cudaLaunchKernel((void*)chosen, dim3(2), dim3(3), arguments, 0, 0));
  show("by pointer", array.host());
  std::printf("too many threads: %s\n",
              cudaGetErrorName(cudaLaunchKernel(add_kernel, dim3(1), dim3(1025), arguments, 0, 0)));
  std::printf("last: %s\n", cudaGetErrorName(cudaGetLastError()));
  show("unchanged", array.host());
  CHECK(cudaStreamDestroy(stream));
}

/* Prints:
added: 16 17 18 19 20 21
reversed: 21 20 19 18 17 16
by address: 17 18 19 21 22 23
by pointer: 18 19 20 22 23 24
too many threads: cudaErrorInvalidValue
last: cudaErrorInvalidValue
unchanged: 18 19 20 22 23 24
*/
