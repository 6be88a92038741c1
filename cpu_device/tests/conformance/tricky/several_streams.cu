// SPDX-License-Identifier: MIT
// Streams that share memory in order: by events, by the host, by the default stream, and where all
// only read or add atomically.
#include "../check.h"

__constant__ float c_factor;

__global__ void scale_kernel(const float* in, float* out) {
  out[threadIdx.x] = c_factor * in[threadIdx.x];
}
__global__ void add_kernel(float* sum) {
  atomicAdd(sum, 1.0f);
}

int main() {
  DeviceArray<float> in(64), one(64), other(64), sum(1);
  float *factor = nullptr, *scratch = nullptr;
  CHECK(cudaMallocHost(&factor, sizeof(float)));
  *factor = 3;
  cudaStream_t first, second, follows;
  cudaEvent_t copied, used;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK(cudaStreamCreate(&follows));
  CHECK(cudaEventCreate(&copied));
  CHECK(cudaEventCreate(&used));
  CHECK(cudaDeviceSynchronize());
  // An event behind the copy; both then read the factor at one time.
  CHECK(cudaMemcpyToSymbolAsync(c_factor, factor, sizeof(float), 0, cudaMemcpyHostToDevice, first));
  CHECK(cudaEventRecord(copied, first));
  CHECK(cudaStreamWaitEvent(second, copied, 0));
  scale_kernel<<<1, 64, 0, first>>>(in.data(), one.data());
  scale_kernel<<<1, 64, 0, second>>>(in.data(), other.data());
  // Atomic adding in any order.
  add_kernel<<<1, 64, 0, first>>>(sum.data());
  add_kernel<<<1, 64, 0, second>>>(sum.data());
  // What one stream frees, another has used before.
  CHECK(cudaMallocAsync(&scratch, 64 * sizeof(float), first));
  scale_kernel<<<1, 64, 0, first>>>(one.data(), scratch);
  CHECK(cudaEventRecord(used, first));
  CHECK(cudaStreamWaitEvent(second, used, 0));
  CHECK(cudaFreeAsync(scratch, second));
  // The host waits for one stream and goes on in another.
  CHECK(cudaStreamSynchronize(second));
  scale_kernel<<<1, 64, 0, first>>>(other.data(), in.data());
  while (cudaStreamQuery(first) == cudaErrorNotReady) {
  }
  // The default stream and a blocking one.
  CHECK(cudaMemset(one.data(), 0, 64 * sizeof(float)));
  scale_kernel<<<1, 64, 0, follows>>>(in.data(), one.data());
  CHECK(cudaMemset(in.data(), 0, 64 * sizeof(float)));
  // A stream that is destroyed before its work is done.
  CHECK(cudaEventRecord(used, follows));
  CHECK(cudaStreamWaitEvent(first, used, 0));
  CHECK(cudaStreamDestroy(follows));
  scale_kernel<<<1, 64, 0, first>>>(one.data(), other.data());
  CHECK(cudaDeviceSynchronize());
  show("sum", sum.host()[0]);
  show("factor", *factor);
  CHECK(cudaEventDestroy(copied));
  CHECK(cudaEventDestroy(used));
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
  CHECK(cudaFreeHost(factor));
}

/* Prints:
sum: 128
factor: 3
*/
