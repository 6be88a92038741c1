// SPDX-License-Identifier: MIT
// The host's array is passed where the device's copy belongs.
#include "../check.h"

__global__ void add_kernel(int* out, const int* in) {
  out[threadIdx.x] = in[threadIdx.x] + 1;
}

int main() {
  std::vector<int> host(64, 1);
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, 64 * sizeof(int)));
  CHECK(cudaMalloc(&d_out, 64 * sizeof(int)));
  CHECK(cudaMemcpy(d_in, host.data(), 64 * sizeof(int), cudaMemcpyHostToDevice));
  add_kernel<<<1, 64>>>(d_out, host.data());  // fault: d_in was meant
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "host_pointer_in_kernel"
kernel = "add_kernel"
line = 15
mentions = ["argument 2"]
mode = "any"
*/
