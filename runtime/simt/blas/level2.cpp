// SPDX-License-Identifier: MIT
// Level 2: a matrix and vectors. gemv, ger.
#include <algorithm>

#include "simt/blas/scalar.h"
#include "simt/blas/strided.h"
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

template <class T>
cublasStatus_t gemv(const char* name, cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                    const T* alpha, const T* a, int lda, const T* x, int incx, const T* beta, T* y,
                    int incy) {
  if (!is_alive(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!is_operation(trans) || m < 0 || n < 0 || lda < std::max(1, m) || incx == 0 || incy == 0 ||
      !alpha || !beta) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const LibraryCall call = library_call(name);
  Gemv<T> gemv{trans != CUBLAS_OP_N, m, n, {}, {}, a, lda, x, incx, y, incy};
  if (!gemv.alpha.take(call, *handle, "alpha", alpha) ||
      !gemv.beta.take(call, *handle, "beta", beta)) {
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
  return status_of(enqueue(handle->stream, [=] { gemv.run(call); }));
}

template <class T>
cublasStatus_t ger(const char* name, cublasHandle_t handle, int m, int n, const T* alpha,
                   const T* x, int incx, const T* y, int incy, T* a, int lda) {
  if (!is_alive(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (m < 0 || n < 0 || lda < std::max(1, m) || incx == 0 || incy == 0 || !alpha) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const LibraryCall call = library_call(name);
  Scalar<T> factor;
  if (!factor.take(call, *handle, "alpha", alpha)) return CUBLAS_STATUS_EXECUTION_FAILED;
  return status_of(enqueue(handle->stream, [=] {
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
  return blas::ger("cublasSger", handle, m, n, alpha, x, incx, y, incy, A, lda);
}
cublasStatus_t cublasDger(cublasHandle_t handle, int m, int n, const double* alpha, const double* x,
                          int incx, const double* y, int incy, double* A, int lda) {
  return blas::ger("cublasDger", handle, m, n, alpha, x, incx, y, incy, A, lda);
}

}  // extern "C"
