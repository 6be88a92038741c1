// SPDX-License-Identifier: MIT
// A float4 is read from the second element of an array.
#include "../check.h"

__global__ void load_kernel(const float* in, float* out) {
  const float4 four = *reinterpret_cast<const float4*>(in + 1);  // fault: 4 bytes off
  *out = four.x + four.w;
}

int main() {
  float *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, 64));
  CHECK(cudaMalloc(&d_out, sizeof(float)));
  CHECK(cudaMemset(d_in, 0, 64));
  load_kernel<<<1, 1>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "misaligned"
kernel = "load_kernel"
line = 6
mode = "check"
*/
