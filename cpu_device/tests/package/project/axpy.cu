// SPDX-License-Identifier: MIT
// y = 2 x + y through cuBLAS.
#include <cublas_v2.h>

__global__ void fill(float* x, float value) {
  x[threadIdx.x] = value;
}

float axpy() {
  float *x, *y, result[4];
  cudaMalloc(&x, sizeof result);
  cudaMalloc(&y, sizeof result);
  fill<<<1, 4>>>(x, 3);
  fill<<<1, 4>>>(y, 1);
  cublasHandle_t handle;
  cublasCreate(&handle);
  const float two = 2;
  cublasSaxpy(handle, 4, &two, x, 1, y, 1);
  cublasDestroy(handle);
  cudaMemcpy(result, y, sizeof result, cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(y);
  return result[3];
}
