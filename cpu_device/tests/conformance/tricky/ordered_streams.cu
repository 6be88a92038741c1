// SPDX-License-Identifier: MIT
// Two streams work on one array in turn; events and the legacy stream put all of it in order.
#include "../check.h"

__global__ void write_kernel(int* data, int value) {
  data[threadIdx.x] = value + threadIdx.x;
}
__global__ void shift_kernel(const int* in, int* out) {
  out[threadIdx.x] = in[(threadIdx.x + 1) % 64];
}

int main() {
  DeviceArray<int> a(64), b(64);
  cudaStream_t first, second;
  cudaEvent_t written, read;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&written));
  CHECK(cudaEventCreate(&read));
  CHECK(cudaDeviceSynchronize());
  for (int round = 0; round < 5; ++round) {
    write_kernel<<<1, 64, 0, first>>>(a.data(), 100 * round);
    CHECK(cudaEventRecord(written, first));
    CHECK(cudaStreamWaitEvent(second, written, 0));
    shift_kernel<<<1, 64, 0, second>>>(a.data(), b.data());
    CHECK(cudaEventRecord(read, second));
    CHECK(cudaStreamWaitEvent(first, read, 0));
  }
  shift_kernel<<<1, 64, 0, second>>>(b.data(), a.data());
  CHECK(cudaStreamSynchronize(first));
  CHECK(cudaStreamSynchronize(second));
  show("some", a.host()[0], a.host()[61], a.host()[63]);
  CHECK(cudaEventDestroy(written));
  CHECK(cudaEventDestroy(read));
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
}

/* Prints:
some: 402 463 401
*/
