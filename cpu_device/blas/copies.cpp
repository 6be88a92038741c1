// SPDX-License-Identifier: MIT
// Strided copies between host and device: CUDA's own copies under other names.
#include "simt/cublas_copies.h"

#include "cpu_device/blas/refusal.h"
#include "simt/runtime_api.h"

using namespace convkit::simt::blas;

namespace {

// ": cudaMemcpy: ...", if the runtime has said why.
std::string why_runtime_refused(cudaError_t error) {
  std::string why = convkit_simt_why_refused(CONVKIT_SIMT_RUNTIME, error);
  if (!why.empty()) why.pop_back();  // the full stop
  return why.empty() ? "" : ": " + why;
}

enum class When { now, later };

// `count` pieces of `bytes` each, `from_distance` and `to_distance` pieces apart.
struct Pieces {
  const char* call;
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
  Refusal refusal(pieces.call);
  if (error != cudaSuccess) {
    refusal.with(CUBLAS_STATUS_MAPPING_ERROR,
                 said("the copy of ", pieces.count, " pieces of ", pieces.bytes, " bytes gave ",
                      cudaGetErrorName(error), why_runtime_refused(error)));
  }
  return refusal.status();
}

cublasStatus_t copy_vector(const char* call, int n, int element, const void* x, int incx, void* y,
                           int incy, cudaMemcpyKind kind, When when, cudaStream_t stream) {
  Refusal refusal(call);
  const auto positive = [](const char* argument, int value) {
    return Parameter{0, value > 0, argument, value, "it must be at least 1"};
  };
  if (any_illegal(
          refusal, nullptr,
          {positive("elemSize", element), positive("incx", incx), positive("incy", incy)})) {
    return refusal.status();
  }
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  if (n < 0) {  // as a copy of that size
    refusal.with(CUBLAS_STATUS_MAPPING_ERROR, said("n is ", n, "; it must not be negative"));
    return refusal.status();
  }
  const auto size = static_cast<size_t>(element);
  return copy(
      {call, n, size, x, size * static_cast<size_t>(incx), y, size * static_cast<size_t>(incy)},
      kind, when, stream);
}

cublasStatus_t copy_matrix(const char* call, int rows, int columns, int element, const void* a,
                           int lda, void* b, int ldb, cudaMemcpyKind kind, When when,
                           cudaStream_t stream) {
  Refusal refusal(call);
  const auto from = [](int least, const char* argument, int value) {
    return Parameter{0, value >= least, argument, value, said("it must be at least ", least)};
  };
  if (any_illegal(refusal, nullptr,
                  {from(0, "rows", rows), from(0, "cols", columns), from(1, "elemSize", element),
                   from(1, "lda", lda), from(1, "ldb", ldb)})) {
    return refusal.status();
  }
  if (rows == 0 || columns == 0) return CUBLAS_STATUS_SUCCESS;
  const auto size = static_cast<size_t>(element);
  return copy({call, columns, size * static_cast<size_t>(rows), a, size * static_cast<size_t>(lda),
               b, size * static_cast<size_t>(ldb)},
              kind, when, stream);
}

}  // namespace

extern "C" {

cublasStatus_t cublasSetVector(int n, int elemSize, const void* x, int incx, void* y, int incy) {
  return copy_vector("cublasSetVector", n, elemSize, x, incx, y, incy, cudaMemcpyHostToDevice,
                     When::now, nullptr);
}
cublasStatus_t cublasSetVectorAsync(int n, int elemSize, const void* x, int incx, void* y, int incy,
                                    cudaStream_t stream) {
  return copy_vector("cublasSetVectorAsync", n, elemSize, x, incx, y, incy, cudaMemcpyHostToDevice,
                     When::later, stream);
}
cublasStatus_t cublasGetVector(int n, int elemSize, const void* x, int incx, void* y, int incy) {
  return copy_vector("cublasGetVector", n, elemSize, x, incx, y, incy, cudaMemcpyDeviceToHost,
                     When::now, nullptr);
}
cublasStatus_t cublasGetVectorAsync(int n, int elemSize, const void* x, int incx, void* y, int incy,
                                    cudaStream_t stream) {
  return copy_vector("cublasGetVectorAsync", n, elemSize, x, incx, y, incy, cudaMemcpyDeviceToHost,
                     When::later, stream);
}
cublasStatus_t cublasSetMatrix(int rows, int cols, int elemSize, const void* A, int lda, void* B,
                               int ldb) {
  return copy_matrix("cublasSetMatrix", rows, cols, elemSize, A, lda, B, ldb,
                     cudaMemcpyHostToDevice, When::now, nullptr);
}
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int elemSize, const void* A, int lda,
                                    void* B, int ldb, cudaStream_t stream) {
  return copy_matrix("cublasSetMatrixAsync", rows, cols, elemSize, A, lda, B, ldb,
                     cudaMemcpyHostToDevice, When::later, stream);
}
cublasStatus_t cublasGetMatrix(int rows, int cols, int elemSize, const void* A, int lda, void* B,
                               int ldb) {
  return copy_matrix("cublasGetMatrix", rows, cols, elemSize, A, lda, B, ldb,
                     cudaMemcpyDeviceToHost, When::now, nullptr);
}
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int elemSize, const void* A, int lda,
                                    void* B, int ldb, cudaStream_t stream) {
  return copy_matrix("cublasGetMatrixAsync", rows, cols, elemSize, A, lda, B, ldb,
                     cudaMemcpyDeviceToHost, When::later, stream);
}

}  // extern "C"
