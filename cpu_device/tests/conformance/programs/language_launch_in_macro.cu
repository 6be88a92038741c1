// SPDX-License-Identifier: MIT
// Launches that come out of macros: object-like, with parameters, variadic, nested, over several
// lines.
#include "../check.h"

__global__ void add_kernel(int* data, int by) {
  data[threadIdx.x] += by;
}
template <class T, int kTimes>
__global__ void scale_kernel(T* data) {
  data[threadIdx.x] *= kTimes;
}

// clang-format off
#define ADD_ONE add_kernel<<<1, 4>>>(array.data(), 1)
#define LAUNCH(kernel, threads, ...) kernel<<<1, threads>>>(__VA_ARGS__)
#define LAUNCH_TEMPLATE(kernel, blocks, threads, ...) \
  do {                                                \
    kernel<<<blocks,                                  \
             threads>>>(__VA_ARGS__);                 \
    CHECK_LAUNCH();                                   \
  } while (0)
#define CONFIGURATION 1, 4
#define ARGUMENTS (array.data(), 1000)
#define WITH_ARGUMENTS add_kernel<<<CONFIGURATION>>> ARGUMENTS
#define TWICE(statement) statement; statement
// clang-format on
#define NAME(stem) stem##_kernel

int main() {
  DeviceArray<int> array({1, 2, 3, 4});
  ADD_ONE;
  show("object-like", array.host());
  LAUNCH(add_kernel, 2, array.data(), 10);
  show("variadic", array.host());
  LAUNCH_TEMPLATE((scale_kernel<int, 2>), 1, 4, array.data());
  show("template in a macro", array.host());
  WITH_ARGUMENTS;
  show("configuration from a macro", array.host());
  TWICE(ADD_ONE);
  show("twice", array.host());
  NAME(add)<<<CONFIGURATION>>>(array.data(), -1000);
  show("pasted name", array.host());
}

/* Prints:
object-like: 2 3 4 5
variadic: 12 13 4 5
template in a macro: 24 26 8 10
configuration from a macro: 1024 1026 1008 1010
twice: 1026 1028 1010 1012
pasted name: 26 28 10 12
*/
