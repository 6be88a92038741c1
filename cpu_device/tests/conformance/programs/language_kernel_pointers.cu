// SPDX-License-Identifier: MIT
// Kernels through pointers: variables, tables, members, parameters, template arguments, casts of
// overloads.
#include "../check.h"

__global__ void add_kernel(int* data, int by) {
  data[threadIdx.x] += by;
}
__global__ void multiply_kernel(int* data, int by) {
  data[threadIdx.x] *= by;
}
__global__ void overloaded_kernel(int* data) {
  data[threadIdx.x] = -1;
}
__global__ void overloaded_kernel(int* data, float by) {
  data[threadIdx.x] = int(by * 10);
}

using Kernel = void (*)(int*, int);

struct Operation {
  const char* name;
  Kernel kernel;
  void run(int* data, int by) const { kernel<<<1, 2>>>(data, by); }
  void run_this(int* data, int by) const { this->kernel<<<1, 2>>>(data, by); }
};

void launch(Kernel kernel, int* data, int by) {
  kernel<<<1, 2>>>(data, by);
}
void launch_reference(void (&kernel)(int*, int), int* data, int by) {
  kernel<<<1, 2>>>(data, by);
}
template <Kernel kKernel>
void launch_constant(int* data, int by) {
  kKernel<<<1, 2>>>(data, by);
}

int main() {
  DeviceArray<int> array({1, 2});
  int* data = array.data();
  Kernel table[] = {add_kernel, &multiply_kernel};
  for (Kernel kernel : table) kernel<<<1, 2>>>(data, 3);
  table[1]<<<1, 2>>>(data, 2);
  (*table[0])<<<1, 2>>>(data, 100);
  (table[0])<<<1, 2>>>(data, 1000);
  show("table", array.host());
  const Operation operations[] = {{"add", add_kernel}, {"multiply", multiply_kernel}};
  const Operation* second = &operations[1];
  operations[0].kernel<<<1, 2>>>(data, -1101);
  second->kernel<<<1, 2>>>(data, 5);
  operations[0].run(data, 7);
  second->run_this(data, 2);
  show("members", array.host());
  launch(add_kernel, data, -100);
  launch_reference(multiply_kernel, data, -1);
  launch_constant<add_kernel>(data, 1);
  (data != nullptr ? add_kernel : multiply_kernel)<<<1, 2>>>(data, 50);
  show("parameters", array.host());
  const auto overload = static_cast<void (*)(int*, float)>(overloaded_kernel);
  overload<<<1, 1>>>(data, 1.25f);
  overloaded_kernel<<<1, 1>>>(data + 1);
  show("overloads", array.host());
}

/* Prints:
table: 1124 1130
members: 244 304
parameters: -93 -153
overloads: 12 -1
*/
