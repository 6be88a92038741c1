// SPDX-License-Identifier: MIT
// gemm_fast through cuBLAS: how far a hand-written product is from a tuned library.
//
// float32 throughout, no tensor cores (CUBLAS_PEDANTIC_MATH). Row-major matrices are the transposed
// ones to the library, so it is asked for c^T = b^T a^T. Link with -lcublas.
#include <cublas_v2.h>

#include "unroll_gemm.h"

extern "C" cudaError_t gemm_fast(const float* d_a, const float* d_b, float* d_c, int m, int n,
                                 int k, float alpha, float beta, cudaStream_t stream) {
  static const cublasHandle_t handle = [] {
    cublasHandle_t made = nullptr;
    if (cublasCreate(&made) != CUBLAS_STATUS_SUCCESS) return cublasHandle_t{};
    cublasSetMathMode(made, CUBLAS_PEDANTIC_MATH);
    return made;
  }();
  if (!handle) return cudaErrorNotSupported;
  bool good = cublasSetStream(handle, stream) == CUBLAS_STATUS_SUCCESS;
  good = good && cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &alpha, d_b, n, d_a, k,
                             &beta, d_c, n) == CUBLAS_STATUS_SUCCESS;
  return good ? cudaSuccess : cudaErrorUnknown;
}
