// SPDX-License-Identifier: MIT
// The last thread's 16 bytes lie beyond the input, and no zeros are asked for in their place.
#include <cuda_pipeline.h>

#include "../check.h"

__global__ void load_kernel(const float* in, float* out) {
  __shared__ __align__(16) float cells[32];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&cells[4 * t], &in[4 * t], 16);  // fault
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = cells[4 * t];
}

int main() {
  float *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, 28 * sizeof(float)));
  CHECK(cudaMalloc(&d_out, 8 * sizeof(float)));
  CHECK(cudaMemset(d_in, 0, 28 * sizeof(float)));
  load_kernel<<<1, 8>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "out_of_bounds_global"
kernel = "load_kernel"
line = 10
mentions = ["112 bytes"]
mode = "check"
*/
