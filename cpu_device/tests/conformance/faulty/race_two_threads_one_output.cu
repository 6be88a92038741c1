// SPDX-License-Identifier: MIT
// The row of an output is forgotten in its index: threads of several rows write one element.
#include "../check.h"

__global__ void row_kernel(const float* x, float* y, int width) {
  y[threadIdx.x] = x[threadIdx.y * width + threadIdx.x];  // fault
}

int main() {
  std::vector<float> values(64);
  for (int i = 0; i < 64; ++i) values[i] = static_cast<float>(i);
  DeviceArray<float> x(values), y(64);
  row_kernel<<<1, dim3(8, 8)>>>(x.data(), y.data(), 8);
  CHECK_LAUNCH();
}

/* Reports:
kind = "race_global_block"
kernel = "row_kernel"
line = 6
mentions = ["threads (0,1,0) and (0,0,0) of block (0,0,0) both write element 0"]
mode = "check"
*/
