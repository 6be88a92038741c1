// SPDX-License-Identifier: MIT
// Grid-stride loops in which all blocks share arrays, but never an element.
#include "../check.h"

__global__ void fill_kernel(int* data, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    data[i] = i;
}

__global__ void double_kernel(int* data, const int* in, int n) {
  const int total = gridDim.x * blockDim.x;
  for (int i = total - 1 - (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += total) {
    data[i] = data[i] + in[n - 1 - i];
  }
}

int main() {
  const int n = 3001;
  DeviceArray<int> a(n), b(n);
  fill_kernel<<<5, 96>>>(a.data(), n);
  fill_kernel<<<7, 64>>>(b.data(), n);
  double_kernel<<<3, 128>>>(a.data(), b.data(), n);
  CHECK_LAUNCH();
  int wrong = 0;
  for (int value : a.host()) wrong += value != n - 1;
  show("wrong", wrong);
}

/* Prints:
wrong: 0
*/
