// SPDX-License-Identifier: MIT
// cuBLAS, level 2 and its extensions: a matrix and vectors, sums and transposes. Matrices are
// column-major: element (i, j) lies at A[i + j * lda].
#pragma once

#include "simt/cublas_types.h"

#pragma GCC visibility push(default)
extern "C" {

cublasStatus_t cublasSgemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                           const float* alpha, const float* A, int lda, const float* x, int incx,
                           const float* beta, float* y, int incy);
cublasStatus_t cublasDgemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                           const double* alpha, const double* A, int lda, const double* x, int incx,
                           const double* beta, double* y, int incy);
cublasStatus_t cublasSger(cublasHandle_t handle, int m, int n, const float* alpha, const float* x,
                          int incx, const float* y, int incy, float* A, int lda);
cublasStatus_t cublasDger(cublasHandle_t handle, int m, int n, const double* alpha, const double* x,
                          int incx, const double* y, int incy, double* A, int lda);
// C = alpha * op(A) + beta * op(B), C m x n; C may be A or B where that is not transposed.
cublasStatus_t cublasSgeam(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, const float* alpha,
                           const float* A, int lda, const float* beta, const float* B, int ldb,
                           float* C, int ldc);
cublasStatus_t cublasDgeam(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, const double* alpha,
                           const double* A, int lda, const double* beta, const double* B, int ldb,
                           double* C, int ldc);

}  // extern "C"
#pragma GCC visibility pop
