// SPDX-License-Identifier: MIT
// half on the host: conversions, arithmetic and memory shared with a kernel.
#include <cuda_fp16.h>

#include "../check.h"

__global__ void axpy_kernel(half a, const half* x, half* y) {
  y[threadIdx.x] = __hfma(a, x[threadIdx.x], y[threadIdx.x]);
}

int main() {
  std::vector<half> x(4), y(4);
  for (int i = 0; i < 4; ++i) {
    x[i] = __float2half(0.25f * i);
    y[i] = __float2half(10.0f);
  }
  DeviceArray<half> d_x(x), d_y(y);
  axpy_kernel<<<1, 4>>>(__float2half(2.0f), d_x.data(), d_y.data());
  CHECK_LAUNCH();
  std::printf("y:");
  for (half value : d_y.host()) print(__half2float(value));
  std::printf("\n");
  const half sum = x[3] + y[0];
  show("host", static_cast<float>(sum), __half2float(x[3] * y[0]), x[1] < x[2], sizeof(half));
}

/* Prints:
y: 10 10.5 11 11.5
host: 10.75 7.5 1 2
*/
