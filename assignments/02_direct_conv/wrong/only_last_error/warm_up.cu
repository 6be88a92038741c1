// SPDX-License-Identifier: MIT
#include "direct_conv.h"

__global__ void add(const float* a, const float* b, float* c, int64_t n) {
  int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void multiply(const float* a, const float* b, float* c, int rows, int inner, int cols) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) {
    float sum = 0;
    for (int k = 0; k < inner; k++) sum += a[row * inner + k] * b[k * cols + col];
    c[row * cols + col] = sum;
  }
}

cudaError_t vector_add(const float* a, const float* b, float* c, int64_t n) {
  size_t bytes = n * sizeof(float);
  float *d_a = NULL, *d_b = NULL, *d_c = NULL;
  cudaMalloc(&d_a, bytes);
  cudaMalloc(&d_b, bytes);
  cudaMalloc(&d_c, bytes);
  cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);
  cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
  cudaError_t err = cudaGetLastError();  // one check for all of the above
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  return err;
}

cudaError_t matrix_product(const float* a, const float* b, float* c, int rows, int inner,
                           int cols) {
  float *d_a = NULL, *d_b = NULL, *d_c = NULL;
  size_t a_bytes = sizeof(float) * rows * inner, b_bytes = sizeof(float) * inner * cols;
  size_t c_bytes = sizeof(float) * rows * cols;
  cudaError_t err = cudaMalloc(&d_a, a_bytes);
  if (err == cudaSuccess) err = cudaMalloc(&d_b, b_bytes);
  if (err == cudaSuccess) err = cudaMalloc(&d_c, c_bytes);
  if (err == cudaSuccess) err = cudaMemcpy(d_a, a, a_bytes, cudaMemcpyHostToDevice);
  if (err == cudaSuccess) err = cudaMemcpy(d_b, b, b_bytes, cudaMemcpyHostToDevice);
  if (err == cudaSuccess) {
    dim3 block(16, 16);
    dim3 grid((cols + 15) / 16, (rows + 15) / 16);
    multiply<<<grid, block>>>(d_a, d_b, d_c, rows, inner, cols);
    err = cudaGetLastError();
  }
  if (err == cudaSuccess) err = cudaMemcpy(c, d_c, c_bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  return err;
}
