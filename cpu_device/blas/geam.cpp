// SPDX-License-Identifier: MIT
// geam: C = alpha * op(A) + beta * op(B). Transposes are made with it.
#include <algorithm>

#include "cpu_device/blas/arguments.h"
#include "cpu_device/blas/illegal_value.h"
#include "cpu_device/blas/scalar.h"
#include "simt/cublas_matrix.h"

namespace convkit::simt::blas {
namespace {

template <class T>
struct Term {
  bool transpose;
  Scalar<T> factor;
  const T* begin;
  int64_t ld;

  Operand operand(const char* argument, int m, int n) const {
    return matrix(argument, begin, transpose ? n : m, transpose ? m : n, ld, Use::read);
  }
  T at(int i, int j) const { return transpose ? begin[i * ld + j] : begin[j * ld + i]; }
};

template <class T>
struct Geam {
  int m, n;
  Term<T> a, b;
  T* c;
  int64_t ldc;

  void run(const LibraryCall& call) const {
    T alpha, beta;
    if (!a.factor.read(call, alpha) || !b.factor.read(call, beta)) return;
    const bool has_a = alpha != T{}, has_b = beta != T{};
    if ((has_a && !may_use(call, a.operand("A", m, n))) ||
        (has_b && !may_use(call, b.operand("B", m, n))) ||
        !may_use(call, matrix("C", c, m, n, ldc, Use::write))) {
      return;
    }
    // In blocks: one of the two is walked across its columns.
    constexpr int kBlock = 32;
    for (int j0 = 0; j0 < n; j0 += kBlock) {
      for (int i0 = 0; i0 < m; i0 += kBlock) {
        for (int j = j0; j < std::min(n, j0 + kBlock); ++j) {
          for (int i = i0; i < std::min(m, i0 + kBlock); ++i) {
            T sum{};
            if (has_a) sum += alpha * a.at(i, j);
            if (has_b) sum += beta * b.at(i, j);
            c[j * ldc + i] = sum;
          }
        }
      }
    }
  }
};

// C may be A or B only where each element is read just before it is written.
template <class T>
bool overlaps(const T* c, const T* term, cublasOperation_t operation, int ld, int ldc) {
  return c == term && (operation != CUBLAS_OP_N || ld != ldc);
}

template <class T>
cublasStatus_t geam(const Names& names, cublasHandle_t handle, cublasOperation_t transa,
                    cublasOperation_t transb, int m, int n, const T* alpha, const T* a, int lda,
                    const T* beta, const T* b, int ldb, T* c, int ldc) {
  if (!is_alive(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  const int wrong = first_wrong({{1, is_operation(transa)},
                                 {2, is_operation(transb)},
                                 {3, m >= 0},
                                 {4, n >= 0},
                                 {7, lda >= std::max(1, transa == CUBLAS_OP_N ? m : n)},
                                 {10, ldb >= std::max(1, transb == CUBLAS_OP_N ? m : n)},
                                 {12, ldc >= std::max(1, m)}});
  if (wrong != 0) return illegal_value(names.routine, wrong);
  if (!alpha || !beta || overlaps(c, a, transa, lda, ldc) || overlaps(c, b, transb, ldb, ldc)) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const LibraryCall call = library_call(names.call);
  Geam<T> geam{m, n,  {transa != CUBLAS_OP_N, {}, a, lda}, {transb != CUBLAS_OP_N, {}, b, ldb},
               c, ldc};
  if (!geam.a.factor.take(call, *handle, "alpha", alpha) ||
      !geam.b.factor.take(call, *handle, "beta", beta)) {
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
  return status_of(enqueue(handle->stream, [=] { geam.run(call); }));
}

}  // namespace
}  // namespace convkit::simt::blas

namespace blas = convkit::simt::blas;

extern "C" {

cublasStatus_t cublasSgeam(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, const float* alpha,
                           const float* A, int lda, const float* beta, const float* B, int ldb,
                           float* C, int ldc) {
  return blas::geam({"cublasSgeam", "SGEAM"}, handle, transa, transb, m, n, alpha, A, lda, beta, B,
                    ldb, C, ldc);
}
cublasStatus_t cublasDgeam(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, const double* alpha,
                           const double* A, int lda, const double* beta, const double* B, int ldb,
                           double* C, int ldc) {
  return blas::geam({"cublasDgeam", "DGEAM"}, handle, transa, transb, m, n, alpha, A, lda, beta, B,
                    ldb, C, ldc);
}

}  // extern "C"
