// SPDX-License-Identifier: MIT
// gemm and gemmStridedBatched: one product, or several at equal distances.
#include <complex>

#include "cpu_device/blas/gemm_shape.h"
#include "cpu_device/blas/scalar.h"
#include "simt/cublas_product.h"

namespace convkit::simt::blas {
namespace {

template <class T>
struct Gemm {
  GemmShape shape;
  Batches batches;
  Scalar<T> alpha, beta;
  const T *a, *b;
  T* c;
};

// Of complex numbers, without OpenBLAS.
template <class Real>
void multiply(const Product<std::complex<Real>>& product) {
  using T = std::complex<Real>;
  for (int j = 0; j < product.n; ++j) {
    T* const column = product.c + j * product.ldc;
    for (int i = 0; i < product.m; ++i) {
      column[i] = product.beta == T{} ? T{} : product.beta * column[i];
    }
    if (product.alpha == T{}) continue;
    for (int p = 0; p < product.k; ++p) {
      T right =
          product.transpose_b ? product.b[j + p * product.ldb] : product.b[p + j * product.ldb];
      if (product.conjugate_b) right = std::conj(right);
      right *= product.alpha;
      for (int i = 0; i < product.m; ++i) {
        const T left =
            product.transpose_a ? product.a[p + i * product.lda] : product.a[i + p * product.lda];
        column[i] += (product.conjugate_a ? std::conj(left) : left) * right;
      }
    }
  }
}

template <class T>
void run(const LibraryCall& call, const Gemm<T>& gemm) {
  T alpha, beta;
  if (!gemm.alpha.read(call, alpha) || !gemm.beta.read(call, beta)) return;
  const GemmShape& shape = gemm.shape;
  const Batches& batches = gemm.batches;
  const bool multiplies = alpha != T{} && shape.k > 0;
  if (multiplies && (!may_use(call, batches.of(shape.a(gemm.a), batches.a)) ||
                     !may_use(call, batches.of(shape.b(gemm.b), batches.b)))) {
    return;
  }
  const Operand result = batches.of(shape.c(gemm.c, beta != T{}), batches.c);
  if (!may_use(call, result)) return;
  if (multiplies) {
    expect_apart(call, {result, batches.of(shape.a(gemm.a), batches.a),
                        batches.of(shape.b(gemm.b), batches.b)});
  }
  Product<T> product = shape.product(alpha, gemm.a, gemm.b, beta, gemm.c);
  product.conjugate_a = shape.transa == CUBLAS_OP_C;
  product.conjugate_b = shape.transb == CUBLAS_OP_C;
  for (int i = 0; i < batches.count; ++i) {
    multiply(product);
    product.a += batches.a;
    product.b += batches.b;
    product.c += batches.c;
  }
}

template <class T>
cublasStatus_t start(const Names& names, cublasHandle_t handle, const GemmShape& shape,
                     const Batches& batches, const T* alpha, const T* a, const T* b, const T* beta,
                     T* c) {
  const auto status = without_product(names, handle, shape, batches.count, alpha, beta);
  if (status) return *status;
  Refusal refusal(names.call);
  if (refusal.null({{"C", c}})) return refusal.status();
  const LibraryCall call = library_call(names.call);
  Gemm<T> gemm{shape, batches, {}, {}, a, b, c};
  if (!gemm.alpha.take(call, *handle, "alpha", alpha) ||
      !gemm.beta.take(call, *handle, "beta", beta)) {
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
  return status_of(call, enqueue(handle->stream, [call, gemm] { run(call, gemm); }));
}

}  // namespace
}  // namespace convkit::simt::blas

using namespace convkit::simt::blas;

extern "C" {

cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const float* alpha,
                           const float* A, int lda, const float* B, int ldb, const float* beta,
                           float* C, int ldc) {
  return start({"cublasSgemm", "SGEMM"}, handle, {transa, transb, m, n, k, lda, ldb, ldc}, {},
               alpha, A, B, beta, C);
}
cublasStatus_t cublasDgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const double* alpha,
                           const double* A, int lda, const double* B, int ldb, const double* beta,
                           double* C, int ldc) {
  return start({"cublasDgemm", "DGEMM"}, handle, {transa, transb, m, n, k, lda, ldb, ldc}, {},
               alpha, A, B, beta, C);
}

cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const float* alpha, const float* A, int lda,
                                         long long int strideA, const float* B, int ldb,
                                         long long int strideB, const float* beta, float* C,
                                         int ldc, long long int strideC, int batchCount) {
  return start({"cublasSgemmStridedBatched", "SgemmStridedBatched"}, handle,
               {transa, transb, m, n, k, lda, ldb, ldc}, {batchCount, strideA, strideB, strideC},
               alpha, A, B, beta, C);
}
cublasStatus_t cublasDgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const double* alpha, const double* A, int lda,
                                         long long int strideA, const double* B, int ldb,
                                         long long int strideB, const double* beta, double* C,
                                         int ldc, long long int strideC, int batchCount) {
  return start({"cublasDgemmStridedBatched", "DgemmStridedBatched"}, handle,
               {transa, transb, m, n, k, lda, ldb, ldc}, {batchCount, strideA, strideB, strideC},
               alpha, A, B, beta, C);
}

cublasStatus_t cublasCgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const cuComplex* alpha,
                           const cuComplex* A, int lda, const cuComplex* B, int ldb,
                           const cuComplex* beta, cuComplex* C, int ldc) {
  return start({"cublasCgemm", "CGEMM"}, handle, {transa, transb, m, n, k, lda, ldb, ldc}, {},
               complex(alpha), complex(A), complex(B), complex(beta), complex(C));
}
cublasStatus_t cublasCgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const cuComplex* alpha, const cuComplex* A, int lda,
                                         long long int strideA, const cuComplex* B, int ldb,
                                         long long int strideB, const cuComplex* beta, cuComplex* C,
                                         int ldc, long long int strideC, int batchCount) {
  return start({"cublasCgemmStridedBatched", "CgemmStridedBatched"}, handle,
               {transa, transb, m, n, k, lda, ldb, ldc}, {batchCount, strideA, strideB, strideC},
               complex(alpha), complex(A), complex(B), complex(beta), complex(C));
}
cublasStatus_t cublasZgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k,
                           const cuDoubleComplex* alpha, const cuDoubleComplex* A, int lda,
                           const cuDoubleComplex* B, int ldb, const cuDoubleComplex* beta,
                           cuDoubleComplex* C, int ldc) {
  return start({"cublasZgemm", "ZGEMM"}, handle, {transa, transb, m, n, k, lda, ldb, ldc}, {},
               complex(alpha), complex(A), complex(B), complex(beta), complex(C));
}
cublasStatus_t cublasZgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const cuDoubleComplex* alpha, const cuDoubleComplex* A,
                                         int lda, long long int strideA, const cuDoubleComplex* B,
                                         int ldb, long long int strideB,
                                         const cuDoubleComplex* beta, cuDoubleComplex* C, int ldc,
                                         long long int strideC, int batchCount) {
  return start({"cublasZgemmStridedBatched", "ZgemmStridedBatched"}, handle,
               {transa, transb, m, n, k, lda, ldb, ldc}, {batchCount, strideA, strideB, strideC},
               complex(alpha), complex(A), complex(B), complex(beta), complex(C));
}

}  // extern "C"
