// SPDX-License-Identifier: MIT
// Included by language_header_kernels.cu.
#pragma once

#include <cuda_runtime.h>

namespace header_kernels {

template <class T>
__global__ void add_kernel(T* data, T by) {
  data[threadIdx.x] += by;
}

template <class T>
__global__ void reverse_kernel(T* data) {
  extern __shared__ int from_header[];
  T* values = reinterpret_cast<T*>(from_header);
  values[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}

template <class T>
void add(T* data, int n, T by) {
  add_kernel<T><<<1, n>>>(data, by);
}

}  // namespace header_kernels
