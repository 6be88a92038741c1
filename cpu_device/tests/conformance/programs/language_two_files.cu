// SPDX-License-Identifier: MIT
// A program of two sources: this one calls a launcher in the other and launches the kernel there
// itself.
#include "../check.h"

__global__ void shared_kernel(int* data, int by);
void launch_other(int* data, int n);

namespace {
__constant__ int factor = 2;  // the other file has one of its own
__global__ void scale_kernel(int* data) {
  data[threadIdx.x] *= factor;
}
}  // namespace

__device__ int count = 5;  // likewise: without -rdc=true nvcc makes it this file's own
__global__ void add_count(int* data) {
  data[threadIdx.x] += count;
}

int main() {
  DeviceArray<int> data({1, 2, 3});
  scale_kernel<<<1, 3>>>(data.data());
  show("here", data.host());
  launch_other(data.data(), 3);
  show("there", data.host());
  shared_kernel<<<1, 3>>>(data.data(), 1000);
  show("across", data.host());
  add_count<<<1, 3>>>(data.data());
  show("own", data.host());
}

/* Prints:
here: 2 4 6
there: 22 44 66
across: 1022 1044 1066
own: 1027 1049 1071
*/
