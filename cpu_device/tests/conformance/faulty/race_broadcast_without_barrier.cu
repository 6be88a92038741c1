// SPDX-License-Identifier: MIT
// One thread writes a value for all; the others do not wait for it.
#include "../check.h"

__global__ void normalise_kernel(float* data) {
  __shared__ float largest;
  if (threadIdx.x == 0) {
    largest = data[0];  // fault
  }
  data[threadIdx.x] /= largest;  // fault
}

int main() {
  const float host[40] = {2.0f, 1.0f};
  float* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, sizeof(host)));
  CHECK(cudaMemcpy(d_data, host, sizeof(host), cudaMemcpyHostToDevice));
  normalise_kernel<<<1, 40>>>(d_data);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_data));
}

/* Reports:
kind = "race_shared"
kernel = "normalise_kernel"
lines = [8, 10]
mentions = ["largest"]
mode = "check"
*/
