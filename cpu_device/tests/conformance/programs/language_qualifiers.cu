// SPDX-License-Identifier: MIT
// __launch_bounds__, __forceinline__, __noinline__, __restrict__ and the order of qualifiers.
#include "../check.h"

__device__ __forceinline__ int twice(int x) {
  return 2 * x;
}
__noinline__ __device__ int thrice(int x) {
  return 3 * x;
}
static __inline__ __device__ int half_of(int x) {
  return x / 2;
}
__host__ __device__ __forceinline__ int negated(int x) {
  return -x;
}
inline __device__ __host__ int same(int x) {
  return x;
}

__global__ void __launch_bounds__(64)
    bounded_kernel(const int* __restrict__ in, int* __restrict__ out) {
  out[threadIdx.x] = twice(in[threadIdx.x]) + thrice(1);
}

__launch_bounds__(128, 2) __global__
    void bounded_twice_kernel(int const* __restrict__ in, int* out) {
  out[threadIdx.x] = half_of(in[threadIdx.x]) + negated(0);
}

template <int kThreads>
__global__ static void __launch_bounds__(kThreads) bounded_template_kernel(int* out) {
  out[threadIdx.x] = kThreads + same(threadIdx.x);
}

extern "C" __global__ void plain_name_kernel(int* out) {
  out[threadIdx.x] = negated(threadIdx.x);
}

int main() {
  DeviceArray<int> in({8, 6, 4, 2}), out(4);
  bounded_kernel<<<1, 4>>>(in.data(), out.data());
  show("bounded", out.host());
  bounded_twice_kernel<<<1, 4>>>(in.data(), out.data());
  show("bounded twice", out.host());
  bounded_template_kernel<256><<<1, 4>>>(out.data());
  show("bounded template", out.host());
  plain_name_kernel<<<1, 4>>>(out.data());
  show("plain name", out.host());
  show("host", negated(5), same(6));
}

/* Prints:
bounded: 19 15 11 7
bounded twice: 4 3 2 1
bounded template: 256 257 258 259
plain name: 0 -1 -2 -3
host: -5 6
*/
