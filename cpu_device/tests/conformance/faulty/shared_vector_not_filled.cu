// SPDX-License-Identifier: MIT
// A vector of a tile that nobody loads.
#include "../check.h"

__global__ void sums_kernel(const float* in, float* out, int count) {
  __shared__ float4 tile[16];
  const int i = threadIdx.x;
  if (i < count) reinterpret_cast<float*>(tile)[i] = in[i];
  __syncthreads();
  if (4 * i <= count) {
    const float4 v = tile[i];  // fault
    out[i] = v.x + v.y + v.z + v.w;
  }
}

int main() {
  const int count = 60;
  DeviceArray<float> in(64), out(16);
  sums_kernel<<<1, 64>>>(in.data(), out.data(), count);
  CHECK_LAUNCH();
  std::printf("%g\n", out.host()[0]);
}

/* Reports:
kind = "uninitialised_shared"
kernel = "sums_kernel"
line = 11
mentions = ["element 15", "`tile`"]
mode = "check"
*/
