// SPDX-License-Identifier: MIT
// The last vector of a tile has three elements that nobody loads, and is added up as a whole.
#include "../check.h"

__global__ void sums_kernel(const float* in, float* out, int count) {
  __shared__ float4 tile[16];
  const int i = threadIdx.x;
  if (i < count) reinterpret_cast<float*>(tile)[i] = in[i];
  __syncthreads();
  if (4 * i < count) {
    const float4 v = tile[i];  // fault
    out[i] = v.x + v.y + v.z + v.w;
  }
}

int main() {
  const int count = 61;
  DeviceArray<float> in(64), out(16);
  sums_kernel<<<1, 64>>>(in.data(), out.data(), count);
  CHECK_LAUNCH();
  std::printf("%g\n", out.host()[0]);
}

/* Reports:
kind = "uninitialised_vector"
kernel = "sums_kernel"
line = 11
mentions = ["element 61", "`tile`"]
mode = "check"
*/
