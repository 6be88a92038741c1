// SPDX-License-Identifier: MIT
// Task 02.1: a computation on the device, from the first allocation to the last copy, once for
// vectors and once for matrices.
#include "direct_conv.h"
#include "error_check.h"
// BEGIN SOLUTION(02.1)

namespace {

// Device memory that is freed at the end of its scope, also after an early return.
class DeviceArray {
 public:
  DeviceArray() = default;
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }  // of a null pointer: nothing happens

  cudaError_t allocate(int64_t elements) {
    bytes_ = static_cast<size_t>(elements) * sizeof(float);
    return cudaMalloc(&data_, bytes_);
  }
  cudaError_t copy_from(const float* host) {
    return cudaMemcpy(data_, host, bytes_, cudaMemcpyHostToDevice);
  }
  // A blocking copy waits for the kernels before it, so it also reports what went wrong in them.
  cudaError_t copy_to(float* host) const {
    return cudaMemcpy(host, data_, bytes_, cudaMemcpyDeviceToHost);
  }
  float* data() const { return data_; }

 private:
  float* data_ = nullptr;
  size_t bytes_ = 0;
};

constexpr int kVectorThreads = 256;

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int64_t n) {
  // 64-bit from the first factor on: blockIdx.x * blockDim.x has 32 bits, and n may need more.
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];  // the last block may reach beyond the end
}

// A warp is 32 threads with neighbouring threadIdx.x. They take neighbouring columns, so that what
// they read of b and write to c lies side by side in memory.
constexpr int kTileCols = 32, kTileRows = 8;

__global__ void matrix_product_kernel(const float* a, const float* b, float* c, int rows, int inner,
                                      int cols) {
  const int row = blockIdx.y * kTileRows + threadIdx.y;
  const int col = blockIdx.x * kTileCols + threadIdx.x;
  if (row >= rows || col >= cols) return;
  float sum = 0;
  for (int k = 0; k < inner; ++k) {
    sum += a[int64_t(row) * inner + k] * b[int64_t(k) * cols + col];
  }
  c[int64_t(row) * cols + col] = sum;
}

// So many blocks of `size` cover `count` elements. A plain division would leave out the last,
// partial one.
unsigned blocks(int64_t count, int size) {
  return static_cast<unsigned>((count + size - 1) / size);
}

}  // namespace
// END SOLUTION

cudaError_t vector_add(const float* a, const float* b, float* c, int64_t n) {
  // BEGIN SOLUTION(02.1)
  //> // TODO(02.1): c = a + b, computed on the device: allocate, copy there, launch, check, copy
  //> // back, free. The first error is returned.
  //> CONVKIT_TODO("02.1");
  //> return cudaSuccess;
  DeviceArray d_a, d_b, d_c;
  CUDA_CHECK(d_a.allocate(n));
  CUDA_CHECK(d_b.allocate(n));
  CUDA_CHECK(d_c.allocate(n));
  CUDA_CHECK(d_a.copy_from(a));
  CUDA_CHECK(d_b.copy_from(b));
  vector_add_kernel<<<blocks(n, kVectorThreads), kVectorThreads>>>(d_a.data(), d_b.data(),
                                                                   d_c.data(), n);
  CUDA_CHECK(cudaGetLastError());  // a launch returns nothing; this returns its error
  CUDA_CHECK(d_c.copy_to(c));
  return cudaSuccess;
  // END SOLUTION
}

cudaError_t matrix_product(const float* a, const float* b, float* c, int rows, int inner,
                           int cols) {
  // BEGIN SOLUTION(02.1)
  //> // TODO(02.1): c = a b, computed on the device with one thread for each element of c.
  //> CONVKIT_TODO("02.1");
  //> return cudaSuccess;
  DeviceArray d_a, d_b, d_c;
  CUDA_CHECK(d_a.allocate(int64_t(rows) * inner));
  CUDA_CHECK(d_b.allocate(int64_t(inner) * cols));
  CUDA_CHECK(d_c.allocate(int64_t(rows) * cols));
  CUDA_CHECK(d_a.copy_from(a));
  CUDA_CHECK(d_b.copy_from(b));
  const dim3 block(kTileCols, kTileRows);
  const dim3 grid(blocks(cols, kTileCols), blocks(rows, kTileRows));
  matrix_product_kernel<<<grid, block>>>(d_a.data(), d_b.data(), d_c.data(), rows, inner, cols);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(d_c.copy_to(c));
  return cudaSuccess;
  // END SOLUTION
}
