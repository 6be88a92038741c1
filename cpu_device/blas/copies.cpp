// SPDX-License-Identifier: MIT
// Strided copies between host and device: CUDA's own copies under other names.
#include "simt/cublas_copies.h"

#include "simt/runtime_api.h"

namespace {

enum class When { now, later };

// `count` pieces of `bytes` each, `from_distance` and `to_distance` pieces apart.
struct Pieces {
  int count;
  size_t bytes;
  const void* from;
  size_t from_distance;
  void* to;
  size_t to_distance;
};

cublasStatus_t copy(const Pieces& pieces, cudaMemcpyKind kind, When when, cudaStream_t stream) {
  const size_t from_pitch = pieces.from_distance, to_pitch = pieces.to_distance;
  const auto height = static_cast<size_t>(pieces.count);
  const bool together = from_pitch == pieces.bytes && to_pitch == pieces.bytes;
  cudaError_t error = cudaSuccess;
  if (together) {
    const size_t all = pieces.bytes * height;
    error = when == When::now ? cudaMemcpy(pieces.to, pieces.from, all, kind)
                              : cudaMemcpyAsync(pieces.to, pieces.from, all, kind, stream);
  } else if (when == When::now) {
    error = cudaMemcpy2D(pieces.to, to_pitch, pieces.from, from_pitch, pieces.bytes, height, kind);
  } else {
    error = cudaMemcpy2DAsync(pieces.to, to_pitch, pieces.from, from_pitch, pieces.bytes, height,
                              kind, stream);
  }
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

cublasStatus_t copy_vector(int n, int element, const void* x, int incx, void* y, int incy,
                           cudaMemcpyKind kind, When when, cudaStream_t stream) {
  if (element <= 0 || incx <= 0 || incy <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  if (n < 0) return CUBLAS_STATUS_MAPPING_ERROR;  // as a copy of that size
  const auto size = static_cast<size_t>(element);
  return copy({n, size, x, size * static_cast<size_t>(incx), y, size * static_cast<size_t>(incy)},
              kind, when, stream);
}

cublasStatus_t copy_matrix(int rows, int columns, int element, const void* a, int lda, void* b,
                           int ldb, cudaMemcpyKind kind, When when, cudaStream_t stream) {
  if (rows < 0 || columns < 0 || element <= 0 || lda <= 0 || ldb <= 0) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (rows == 0 || columns == 0) return CUBLAS_STATUS_SUCCESS;
  const auto size = static_cast<size_t>(element);
  return copy({columns, size * static_cast<size_t>(rows), a, size * static_cast<size_t>(lda), b,
               size * static_cast<size_t>(ldb)},
              kind, when, stream);
}

}  // namespace

extern "C" {

cublasStatus_t cublasSetVector(int n, int elemSize, const void* x, int incx, void* y, int incy) {
  return copy_vector(n, elemSize, x, incx, y, incy, cudaMemcpyHostToDevice, When::now, nullptr);
}
cublasStatus_t cublasSetVectorAsync(int n, int elemSize, const void* x, int incx, void* y, int incy,
                                    cudaStream_t stream) {
  return copy_vector(n, elemSize, x, incx, y, incy, cudaMemcpyHostToDevice, When::later, stream);
}
cublasStatus_t cublasGetVector(int n, int elemSize, const void* x, int incx, void* y, int incy) {
  return copy_vector(n, elemSize, x, incx, y, incy, cudaMemcpyDeviceToHost, When::now, nullptr);
}
cublasStatus_t cublasGetVectorAsync(int n, int elemSize, const void* x, int incx, void* y, int incy,
                                    cudaStream_t stream) {
  return copy_vector(n, elemSize, x, incx, y, incy, cudaMemcpyDeviceToHost, When::later, stream);
}
cublasStatus_t cublasSetMatrix(int rows, int cols, int elemSize, const void* A, int lda, void* B,
                               int ldb) {
  return copy_matrix(rows, cols, elemSize, A, lda, B, ldb, cudaMemcpyHostToDevice, When::now,
                     nullptr);
}
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int elemSize, const void* A, int lda,
                                    void* B, int ldb, cudaStream_t stream) {
  return copy_matrix(rows, cols, elemSize, A, lda, B, ldb, cudaMemcpyHostToDevice, When::later,
                     stream);
}
cublasStatus_t cublasGetMatrix(int rows, int cols, int elemSize, const void* A, int lda, void* B,
                               int ldb) {
  return copy_matrix(rows, cols, elemSize, A, lda, B, ldb, cudaMemcpyDeviceToHost, When::now,
                     nullptr);
}
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int elemSize, const void* A, int lda,
                                    void* B, int ldb, cudaStream_t stream) {
  return copy_matrix(rows, cols, elemSize, A, lda, B, ldb, cudaMemcpyDeviceToHost, When::later,
                     stream);
}

}  // extern "C"
