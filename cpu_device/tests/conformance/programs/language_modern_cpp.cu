// SPDX-License-Identifier: MIT
// C++17 in kernels: if constexpr, structured bindings, folds, range-for, attributes, deduced
// returns.
#include "../check.h"

struct Range {
  int first, last;
};

template <class... T>
__device__ auto sum_of(T... values) {
  return (values + ... + 0);
}

template <class T>
__device__ int kind_of([[maybe_unused]] T value) {
  if constexpr (sizeof(T) == 8) {
    return 8;
  } else {
    return value > 0 ? 4 : -4;
  }
}

template <class... T>
__global__ void variadic_kernel(int* out, T... values) {
  const auto [first, last] = Range{2, 5};
  int total = 0;
  const int list[] = {1, 2, 3};
  for (const int item : list) total += item;
  out[0] = sum_of(values...);
  out[1] = first * 10 + last;
  out[2] = total;
  out[3] = kind_of(1.0) + kind_of(-1);
  if (const int count = sizeof...(T); count > 2) out[4] = count;
  const auto local = [](auto x) { return decltype(x)(x + 1); };
  out[5] = local(static_cast<unsigned char>(255));
}

int main() {
  DeviceArray<int> out(6);
  variadic_kernel<<<1, 1>>>(out.data(), 1, 2, 3, 4);
  CHECK_LAUNCH();
  show("four values", out.host());
  variadic_kernel<<<1, 1>>>(out.data());
  CHECK_LAUNCH();
  show("none", out.host());
}

/* Prints:
four values: 10 25 6 4 4 0
none: 0 25 6 4 4 0
*/
