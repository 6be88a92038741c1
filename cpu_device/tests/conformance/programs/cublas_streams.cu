// SPDX-License-Identifier: MIT
// Calls take their place in the handle's stream, between kernels and copies of the same stream, and
// behind events of others. Link with -lcublas.
#include "../check_cublas.h"

__global__ void fill_kernel(float* x, float value) {
  x[threadIdx.x] = value;
}

int main() {
  const Blas blas;
  cudaStream_t first, second;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  cudaEvent_t ready;
  CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
  const DeviceArray<float> x(4), y(4);
  CHECK(cudaDeviceSynchronize());
  const float one = 1, ten = 10;

  CHECK(cublasSetStream(blas, first));
  cudaStream_t stream = nullptr;
  CHECK(cublasGetStream(blas, &stream));
  expect("the stream is kept", stream == first);
  fill_kernel<<<1, 4, 0, first>>>(x.data(), 1);
  CHECK(cudaGetLastError());
  CHECK(cublasSscal(blas, 4, &ten, x.data(), 1));
  CHECK(cudaEventRecord(ready, first));

  CHECK(cublasSetStream(blas, second));
  CHECK(cudaStreamWaitEvent(second, ready, 0));
  CHECK(cublasSaxpy(blas, 4, &one, x.data(), 1, y.data(), 1));
  fill_kernel<<<1, 4, 0, second>>>(x.data(), 7);
  CHECK(cudaGetLastError());
  CHECK(cublasSaxpy(blas, 4, &one, x.data(), 1, y.data(), 1));
  float host[4] = {};
  CHECK(cudaMemcpyAsync(host, y.data(), sizeof host, cudaMemcpyDeviceToHost, second));
  CHECK(cudaStreamSynchronize(second));
  show("y", host[0], host[1], host[2], host[3]);

  // A result for the host waits for the stream.
  float sum = 0;
  CHECK(cublasSasum(blas, 4, y.data(), 1, &sum));
  show("sum", sum);
  CHECK(cublasSetStream(blas, nullptr));
  CHECK(cublasSscal(blas, 4, &ten, y.data(), 1));
  show("on the default stream", y);
  CHECK(cudaEventDestroy(ready));
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
}

/* Prints:
the stream is kept: ok
y: 17 17 17 17
sum: 68
on the default stream: 170 170 170 170
*/
