// SPDX-License-Identifier: MIT
// geam: C = alpha * op(A) + beta * op(B). Transposes are made with it.
#include <algorithm>

#include "cpu_device/blas/arguments.h"
#include "cpu_device/blas/refusal.h"
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
  const int of_a = std::max(1, transa == CUBLAS_OP_N ? m : n),
            of_b = std::max(1, transb == CUBLAS_OP_N ? m : n), of_c = std::max(1, m);
  constexpr const char* kInPlace =
      ", which works in place only without a transpose and with the ld"
      " of C";
  Refusal refusal(names.call);
  if (refusal.no_handle(handle) ||
      any_illegal(refusal, names.routine,
                  {{1, is_operation(transa), "transa", transa, kOperations},
                   {2, is_operation(transb), "transb", transb, kOperations},
                   {3, m >= 0, "m", m, kNotNegative},
                   {4, n >= 0, "n", n, kNotNegative},
                   {7, lda >= of_a, "lda", lda, at_least(of_a, "the rows of A")},
                   {10, ldb >= of_b, "ldb", ldb, at_least(of_b, "the rows of B")},
                   {12, ldc >= of_c, "ldc", ldc, at_least(of_c, "the rows of C (m)")}}) ||
      refusal.null({{"alpha", alpha}, {"beta", beta}}) ||
      (overlaps(c, a, transa, lda, ldc) && refusal.invalid(said("C is A", kInPlace))) ||
      (overlaps(c, b, transb, ldb, ldc) && refusal.invalid(said("C is B", kInPlace)))) {
    return refusal.status();
  }
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const LibraryCall call = library_call(names.call);
  Geam<T> geam{m, n,  {transa != CUBLAS_OP_N, {}, a, lda}, {transb != CUBLAS_OP_N, {}, b, ldb},
               c, ldc};
  if (!geam.a.factor.take(call, *handle, "alpha", alpha) ||
      !geam.b.factor.take(call, *handle, "beta", beta)) {
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
  return status_of(call, enqueue(handle->stream, [=] { geam.run(call); }));
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
