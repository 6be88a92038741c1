// SPDX-License-Identifier: MIT
// A reduction tree without a barrier between its levels.
#include "../check.h"

__global__ void sum_kernel(const float* in, float* out) {
  __shared__ float sums[256];
  const int t = threadIdx.x;
  sums[t] = in[t];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) sums[t] += sums[t + half];  // fault
  }
  if (t == 0) *out = sums[0];
}

int main() {
  float *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, 256 * sizeof(float)));
  CHECK(cudaMalloc(&d_out, sizeof(float)));
  CHECK(cudaMemset(d_in, 0, 256 * sizeof(float)));
  sum_kernel<<<1, 256>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "race_shared"
kernel = "sum_kernel"
line = 11
mentions = ["sums"]
mode = "check"
*/
