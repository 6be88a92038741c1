// SPDX-License-Identifier: MIT
// Four elements at a time, though the number of elements is no multiple of four.
#include "../check.h"

__global__ void sum_kernel(const float* in, float* out, int n) {
  const int i = threadIdx.x;
  if (4 * i >= n) return;
  const auto* fours = reinterpret_cast<const float4*>(in);
  const float4 four = fours[i];  // fault: the last one is half outside
  out[i] = four.x + four.y + four.z + four.w;
}

int main() {
  const int n = 10;
  float *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, n * sizeof(float)));
  CHECK(cudaMalloc(&d_out, n * sizeof(float)));
  CHECK(cudaMemset(d_in, 0, n * sizeof(float)));
  sum_kernel<<<1, 32>>>(d_in, d_out, n);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "out_of_bounds_global"
kernel = "sum_kernel"
line = 9
mentions = ["40 bytes"]
mode = "check"
*/
