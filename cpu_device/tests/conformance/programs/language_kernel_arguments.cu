// SPDX-License-Identifier: MIT
// A kernel gets the values of its arguments, whatever the types of the last four are.
#include "../check.h"

template <class T>
__host__ __device__ T value_of(int n);
template <>
__host__ __device__ unsigned value_of<unsigned>(int n) {
  return 0x10000u + n;
}
template <>
__host__ __device__ double value_of<double>(int n) {
  return n + 0.5;
}
template <>
__host__ __device__ uchar4 value_of<uchar4>(int n) {
  return make_uchar4(n, n + 1, n + 2, n + 3);
}
template <>
__host__ __device__ char4 value_of<char4>(int n) {
  return make_char4(-n, n, -n - 1, n + 1);
}
template <>
__host__ __device__ short2 value_of<short2>(int n) {
  return make_short2(-n, 300 + n);
}
template <>
__host__ __device__ ushort2 value_of<ushort2>(int n) {
  return make_ushort2(n, 60000 + n);
}

__device__ bool same(unsigned a, unsigned b) {
  return a == b;
}
__device__ bool same(double a, double b) {
  return a == b;
}
__device__ bool same(uchar4 a, uchar4 b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}
__device__ bool same(char4 a, char4 b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}
__device__ bool same(short2 a, short2 b) {
  return a.x == b.x && a.y == b.y;
}
__device__ bool same(ushort2 a, ushort2 b) {
  return a.x == b.x && a.y == b.y;
}

template <class A, class B, class C, class D>
__global__ void compare(int* right, A a, B b, C c, D d) {
  *right += same(a, value_of<A>(1)) && same(b, value_of<B>(2)) && same(c, value_of<C>(3)) &&
            same(d, value_of<D>(4));
}

__global__ void four_unsigned(int* right, unsigned a, unsigned b, unsigned c, unsigned d) {
  *right += a == 1 && b == 2 && c == 3 && d == 4;
}
__global__ void only_unsigned(unsigned a, unsigned b, unsigned c, unsigned d) {
  printf("%u %u %u %u\n", a, b, c, d);
}
__global__ void last_is_char4(int* right, char4 last) {
  *right += same(last, value_of<char4>(4));
}
__global__ void last_is_short2(int* right, short2 last) {
  *right += same(last, value_of<short2>(4));
}

// Once with the kernel's types deduced, once with the kernel named in full.
template <class A, class B, class C, class D>
void launch(int* right) {
  compare<<<1, 1>>>(right, value_of<A>(1), value_of<B>(2), value_of<C>(3), value_of<D>(4));
  compare<A, B, C, D>
      <<<1, 1>>>(right, value_of<A>(1), value_of<B>(2), value_of<C>(3), value_of<D>(4));
}

// Every combination of four types out of these.
template <class... T>
struct Each {};
template <class... Chosen, class... T>
void combine(int* right, Each<Chosen...>, Each<T...> types) {
  if constexpr (sizeof...(Chosen) == 4) {
    launch<Chosen...>(right);
  } else {
    (combine(right, Each<Chosen..., T>(), types), ...);
  }
}

int main() {
  DeviceArray<int> right(1);
  combine(right.data(), Each<>(), Each<unsigned, uchar4, ushort2>());
  launch<double, unsigned, unsigned, unsigned>(right.data());
  launch<unsigned, double, short2, char4>(right.data());
  launch<unsigned, unsigned, unsigned, double>(right.data());
  CHECK_LAUNCH();
  show("templates", right.host());
  four_unsigned<<<1, 1>>>(right.data(), 1u, 2u, 3u, 4u);
  last_is_char4<<<1, 1>>>(right.data(), value_of<char4>(4));
  last_is_short2<<<1, 1>>>(right.data(), value_of<short2>(4));
  CHECK_LAUNCH();
  show("and functions", right.host());
  only_unsigned<<<1, 1>>>(1u, 2u, 3u, 4u);
  CHECK_LAUNCH();
}

/* Prints:
templates: 168
and functions: 171
1 2 3 4
*/
