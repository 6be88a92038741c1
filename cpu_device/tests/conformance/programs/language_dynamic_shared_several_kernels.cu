// SPDX-License-Identifier: MIT
// Several kernels with a dynamic array of one name, of sizes that only the launch knows; one splits
// it.
#include "../check.h"

__global__ void rotate_kernel(int* data, int by) {
  extern __shared__ int buffer[];
  const int n = blockDim.x;
  buffer[threadIdx.x] = data[blockIdx.x * n + threadIdx.x];
  __syncthreads();
  data[blockIdx.x * n + threadIdx.x] = buffer[(threadIdx.x + by) % n];
}

__global__ void split_kernel(const int* data, float* out, int n) {
  extern __shared__ int buffer[];
  int* ints = buffer;
  float* floats = reinterpret_cast<float*>(&ints[n]);
  ints[threadIdx.x] = data[threadIdx.x];
  floats[threadIdx.x] = data[threadIdx.x] / 4.0f;
  __syncthreads();
  const int other = (threadIdx.x + 1) % n;
  out[threadIdx.x] = ints[other] + floats[other];
}

__device__ int sum_of_shared(int n) {
  extern __shared__ int buffer[];
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += buffer[i];
  return sum;
}

__global__ void sum_kernel(const int* data, int* out) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) *out = sum_of_shared(blockDim.x);
}

int main() {
  DeviceArray<int> data({0, 1, 2, 3, 4, 5, 6, 7});
  DeviceArray<float> mixed(8);
  DeviceArray<int> sum(1);
  rotate_kernel<<<2, 4, 4 * sizeof(int)>>>(data.data(), 1);
  CHECK_LAUNCH();
  show("rotated", data.host());
  const int n = 8;
  split_kernel<<<1, n, n*(sizeof(int) + sizeof(float))>>>(data.data(), mixed.data(), n);
  CHECK_LAUNCH();
  show("split", mixed.host());
  sum_kernel<<<1, 8, 32>>>(data.data(), sum.data());
  CHECK_LAUNCH();
  show("sum", sum.host());
}

/* Prints:
rotated: 1 2 3 0 5 6 7 4
split: 2.5 3.75 0 6.25 7.5 8.75 5 1.25
sum: 28
*/
