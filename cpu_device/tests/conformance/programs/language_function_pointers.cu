// SPDX-License-Identifier: MIT
// Pointers to device functions: in device tables, as template arguments, chosen by thread.
#include "../check.h"

typedef int (*Operation)(int, int);

__device__ int add(int a, int b) {
  return a + b;
}
__device__ int subtract(int a, int b) {
  return a - b;
}
__device__ int multiply(int a, int b) {
  return a * b;
}

__device__ Operation operations[] = {add, subtract, multiply};

__global__ void table_kernel(int* out) {
  out[threadIdx.x] = operations[threadIdx.x % 3](10, threadIdx.x);
}

template <Operation kOperation>
__global__ void constant_kernel(int* out) {
  out[threadIdx.x] = kOperation(100, threadIdx.x);
}

__global__ void local_kernel(int* out) {
  Operation chosen = threadIdx.x < 2 ? add : multiply;
  out[threadIdx.x] = chosen(chosen(3, 4), 2);
}

int main() {
  DeviceArray<int> out(4);
  table_kernel<<<1, 4>>>(out.data());
  show("table", out.host());
  constant_kernel<subtract><<<1, 4>>>(out.data());
  show("constant", out.host());
  local_kernel<<<1, 4>>>(out.data());
  show("local", out.host());
}

/* Prints:
table: 10 9 20 13
constant: 100 99 98 97
local: 9 9 24 24
*/
