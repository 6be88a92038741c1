// SPDX-License-Identifier: MIT
// Launches of templates: deduced arguments, commas, `>>` and comparisons within the template
// arguments.
#include "../check.h"

template <class A, class B>
struct Pair {
  A first;
  B second;
};
template <class T>
struct Box {
  T value;
};

template <class T>
__global__ void set_kernel(T* out, T value) {
  *out = value;
}
template <class T>
__global__ void size_kernel(int* out) {
  *out = sizeof(T);
}
template <int kA, int kB = 7>
__global__ void numbers_kernel(int* out) {
  *out = 100 * kA + kB;
}
template <bool kYes, class... T>
__global__ void pack_kernel(int* out) {
  *out = kYes ? int(sizeof...(T)) : -1;
}
template <template <class> class C, class T>
__global__ void template_template_kernel(int* out) {
  *out = sizeof(C<T>);
}

int main() {
  DeviceArray<int> out(1);
  DeviceArray<double> real(1);
  const auto result = [&] { return out.host()[0]; };
  set_kernel<<<1, 1>>>(out.data(), 11);
  show("deduced", result());
  set_kernel<double><<<1, 1>>>(real.data(), 3);
  show("given", real.host());
  size_kernel<Pair<char, Box<double>>><<<1, 1>>>(out.data());
  show("nested", result());
  size_kernel<Pair<Box<Box<short>>, Pair<int, int>>><<<1, 1>>>(out.data());
  show("deeper", result());
  numbers_kernel<3, 4><<<1, 1>>>(out.data());
  show("two numbers", result());
  numbers_kernel<(5 > 4 ? 6 : 1)><<<1, 1>>>(out.data());
  show("comparison", result());
  numbers_kernel<(64 >> 3), sizeof(int)><<<dim3(1, 1), dim3(1, 1)>>>(out.data());
  show("shift", result());
  pack_kernel<true, int, float, Pair<int, int>><<<1, 1>>>(out.data());
  show("pack", result());
  pack_kernel<(1 < 0)><<<1, 1>>>(out.data());
  show("empty pack", result());
  template_template_kernel<Box, long long><<<1, 1>>>(out.data());
  show("template template", result());
}

/* Prints:
deduced: 11
given: 3
nested: 16
deeper: 12
two numbers: 304
comparison: 607
shift: 804
pack: 3
empty pack: -1
template template: 8
*/
