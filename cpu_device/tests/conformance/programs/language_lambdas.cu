// SPDX-License-Identifier: MIT
// Lambdas inside kernels: captures, generic ones, passed on to device templates; functors as
// arguments.
#include "../check.h"

template <class F>
__device__ int twice(F f, int x) {
  return f(f(x));
}

struct Affine {
  int factor, offset;
  __host__ __device__ int operator()(int x) const { return factor * x + offset; }
};

template <class F>
__global__ void map_kernel(F f, int* data) {
  data[threadIdx.x] = f(data[threadIdx.x]);
}

__global__ void lambdas_kernel(int* out) {
  const int i = threadIdx.x;
  int calls = 0;
  auto add = [i](int x) { return x + i; };
  auto count = [&calls](auto x) {
    ++calls;
    return x * 2;
  };
  const int doubled = static_cast<int>(count(1.5) + count(2));
  out[i] = twice(add, 100) + doubled + 1000 * calls;
  [out, i] { out[i] += 10000; }();
}

int main() {
  DeviceArray<int> data({1, 2, 3, 4});
  map_kernel<<<1, 4>>>(Affine{3, -1}, data.data());
  CHECK_LAUNCH();
  show("functor", data.host());
  lambdas_kernel<<<1, 4>>>(data.data());
  CHECK_LAUNCH();
  show("lambdas", data.host());
  auto launch = [&](int blocks, auto factor) {
    map_kernel<<<blocks, 4>>>(Affine{factor, 0}, data.data());
    CHECK_LAUNCH();
  };
  launch(1, 2);
  show("launched in a lambda", data.host());
}

/* Prints:
functor: 2 5 8 11
lambdas: 12107 12109 12111 12113
launched in a lambda: 24214 24218 24222 24226
*/
