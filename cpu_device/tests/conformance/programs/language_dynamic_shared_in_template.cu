// SPDX-License-Identifier: MIT
// Dynamic shared memory of a template parameter's type, by the usual way of raw bytes.
#include "../check.h"

template <class T>
__device__ T* dynamic_shared() {
  extern __shared__ __align__(16) unsigned char raw_shared[];
  return reinterpret_cast<T*>(raw_shared);
}

template <class T>
__global__ void prefix_kernel(T* data) {
  T* values = dynamic_shared<T>();
  values[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  T sum = 0;
  for (unsigned i = 0; i <= threadIdx.x; ++i) sum += values[i];
  data[threadIdx.x] = sum;
}

template <class T>
void run(const char* name, std::vector<T> values) {
  DeviceArray<T> data(values);
  prefix_kernel<<<1, values.size(), values.size() * sizeof(T)>>>(data.data());
  CHECK_LAUNCH();
  show(name, data.host());
}

int main() {
  run<int>("int", {1, 2, 3, 4, 5});
  run<double>("double", {0.5, 0.25, 0.125});
  run<unsigned long long>("64 bit", {1ull << 33, 1ull << 34});
}

/* Prints:
int: 1 3 6 10 15
double: 0.5 0.75 0.875
64 bit: 8589934592 25769803776
*/
