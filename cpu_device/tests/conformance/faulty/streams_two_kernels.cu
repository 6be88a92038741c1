// SPDX-License-Identifier: MIT
// A kernel reads what a kernel of another stream writes, and no event orders the two.
#include "../check.h"

__global__ void fill_kernel(float* data) {
  data[threadIdx.x] = threadIdx.x;  // fault
}
__global__ void twice_kernel(const float* in, float* out) {
  out[threadIdx.x] = 2 * in[threadIdx.x];  // fault
}

int main() {
  DeviceArray<float> in(64), out(64);
  cudaStream_t first, second;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK(cudaDeviceSynchronize());
  fill_kernel<<<1, 64, 0, first>>>(in.data());
  twice_kernel<<<1, 64, 0, second>>>(in.data(), out.data());
  CHECK_LAUNCH();
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
}

/* Reports:
kind = "race_across_streams"
kernel = "twice_kernel"
lines = [6, 9]
mentions = ["fill_kernel, launched at", "the stream made at"]
mode = "check"
*/
