// SPDX-License-Identifier: MIT
// Level 2: a matrix and vectors. gemv, ger.
#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "cpu_device/blas/arguments.h"
#include "cpu_device/blas/refusal.h"
#include "cpu_device/blas/scalar.h"
#include "simt/cublas_matrix.h"

namespace convkit::simt::blas {
namespace {

template <class T>
struct Gemv {
  bool transpose;
  int m, n;
  Scalar<T> alpha, beta;
  const T* a;
  int64_t lda;
  const T* x;
  int incx;
  T* y;
  int incy;

  int size_of_x() const { return transpose ? m : n; }
  int size_of_y() const { return transpose ? n : m; }

  void run(const LibraryCall& call) const {
    T factor, kept;
    if (!alpha.read(call, factor) || !beta.read(call, kept)) return;
    const bool multiplies = factor != T{};
    if (multiplies && (!may_use(call, matrix("A", a, m, n, lda, Use::read)) ||
                       !may_use(call, vector("x", x, size_of_x(), incx, Use::read)))) {
      return;
    }
    const Use use = kept == T{} ? Use::write : Use::update;
    const Operand result = vector("y", y, size_of_y(), incy, use);
    if (!may_use(call, result)) return;
    if (multiplies) {
      expect_apart(call, {result, matrix("A", a, m, n, lda, Use::read),
                          vector("x", x, size_of_x(), incx, Use::read)});
    }
    const Strided to(y, size_of_y(), incy);
    for (int i = 0; i < size_of_y(); ++i) to[i] = kept == T{} ? T{} : kept * to[i];
    if (!multiplies) return;
    const Strided from(x, size_of_x(), incx);
    for (int j = 0; j < n; ++j) {
      const T* column = a + j * lda;
      if (transpose) {
        T sum{};
        for (int i = 0; i < m; ++i) sum += column[i] * from[i];
        to[j] += factor * sum;
      } else {
        const T scaled = factor * from[j];
        for (int i = 0; i < m; ++i) to[i] += column[i] * scaled;
      }
    }
  }
};

struct WrongArgument {
  const char* name;
  int value;
  const char* rule;
};

std::optional<WrongArgument> wrong_argument(cublasOperation_t trans, int m, int n, int lda,
                                            int incx, int incy) {
  const std::pair<bool, WrongArgument> checks[] = {
      {is_operation(trans),
       {"trans", static_cast<int>(trans), "must be CUBLAS_OP_N, CUBLAS_OP_T or CUBLAS_OP_C"}},
      {m >= 0, {"m", m, "must not be negative"}},
      {n >= 0, {"n", n, "must not be negative"}},
      {lda >= m, {"lda", lda, "must be at least m"}},
      {incx != 0, {"incx", incx, "must not be 0"}},
      {incy != 0, {"incy", incy, "must not be 0"}},
  };
  for (const auto& [is_right, wrong] : checks) {
    if (!is_right) return wrong;
  }
  return std::nullopt;
}

template <class T>
cublasStatus_t gemv(const char* name, cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                    const T* alpha, const T* a, int lda, const T* x, int incx, const T* beta, T* y,
                    int incy) {
  Refusal refusal(name);
  if (refusal.no_handle(handle) || refusal.null({{"alpha", alpha}, {"beta", beta}})) {
    return refusal.status();
  }
  if (std::min(m, n) == 0) return CUBLAS_STATUS_SUCCESS;
  const LibraryCall call = library_call(name);
  if (const auto wrong = wrong_argument(trans, m, n, lda, incx, incy)) {
    // cuBLAS 13.0 looks at the arguments in double precision only.
    if constexpr (std::is_same_v<T, double>) {
      refusal.invalid(said(wrong->name, " is ", wrong->value, "; it ", wrong->rule));
      return refusal.status();
    }
    tell_ignored(call, wrong->name, std::to_string(wrong->value) + " and " + wrong->rule,
                 "cuBLAS 13.0 does not report it: its status is CUBLAS_STATUS_SUCCESS.");
    return CUBLAS_STATUS_SUCCESS;
  }
  Gemv<T> gemv{trans != CUBLAS_OP_N, m, n, {}, {}, a, lda, x, incx, y, incy};
  if (!gemv.alpha.take(call, *handle, "alpha", alpha) ||
      !gemv.beta.take(call, *handle, "beta", beta)) {
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
  return status_of(call, enqueue(handle->stream, [=] { gemv.run(call); }));
}

template <class T>
cublasStatus_t ger(const Names& names, cublasHandle_t handle, int m, int n, const T* alpha,
                   const T* x, int incx, const T* y, int incy, T* a, int lda) {
  constexpr const char* kNotZero = "it must not be 0";
  const int rows = std::max(1, m);
  Refusal refusal(names.call);
  if (refusal.no_handle(handle) ||
      any_illegal(refusal, names.routine,
                  {{1, m >= 0, "m", m, kNotNegative},
                   {2, n >= 0, "n", n, kNotNegative},
                   {5, incx != 0, "incx", incx, kNotZero},
                   {7, incy != 0, "incy", incy, kNotZero},
                   {9, lda >= rows, "lda", lda, at_least(rows, "the rows of A (m)")}}) ||
      refusal.null({{"alpha", alpha}})) {
    return refusal.status();
  }
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const LibraryCall call = library_call(names.call);
  Scalar<T> factor;
  if (!factor.take(call, *handle, "alpha", alpha)) return CUBLAS_STATUS_EXECUTION_FAILED;
  return status_of(call, enqueue(handle->stream, [=] {
                     T scale;
                     if (!factor.read(call, scale) || scale == T{} ||
                         !may_use(call, vector("x", x, m, incx, Use::read)) ||
                         !may_use(call, vector("y", y, n, incy, Use::read)) ||
                         !may_use(call, matrix("A", a, m, n, lda, Use::update))) {
                       return;
                     }
                     const Strided left(x, m, incx), right(y, n, incy);
                     for (int j = 0; j < n; ++j) {
                       const T scaled = scale * right[j];
                       T* column = a + int64_t{j} * lda;
                       for (int i = 0; i < m; ++i) column[i] += left[i] * scaled;
                     }
                   }));
}

}  // namespace
}  // namespace convkit::simt::blas

namespace blas = convkit::simt::blas;

extern "C" {

cublasStatus_t cublasSgemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                           const float* alpha, const float* A, int lda, const float* x, int incx,
                           const float* beta, float* y, int incy) {
  return blas::gemv("cublasSgemv", handle, trans, m, n, alpha, A, lda, x, incx, beta, y, incy);
}
cublasStatus_t cublasDgemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                           const double* alpha, const double* A, int lda, const double* x, int incx,
                           const double* beta, double* y, int incy) {
  return blas::gemv("cublasDgemv", handle, trans, m, n, alpha, A, lda, x, incx, beta, y, incy);
}
cublasStatus_t cublasSger(cublasHandle_t handle, int m, int n, const float* alpha, const float* x,
                          int incx, const float* y, int incy, float* A, int lda) {
  return blas::ger({"cublasSger", "SGER"}, handle, m, n, alpha, x, incx, y, incy, A, lda);
}
cublasStatus_t cublasDger(cublasHandle_t handle, int m, int n, const double* alpha, const double* x,
                          int incx, const double* y, int incy, double* A, int lda) {
  return blas::ger({"cublasDger", "DGER"}, handle, m, n, alpha, x, incx, y, incy, A, lda);
}

}  // extern "C"
