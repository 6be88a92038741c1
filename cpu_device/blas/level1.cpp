// SPDX-License-Identifier: MIT
// Level 1: what changes vectors. axpy, scal, copy, swap.
#include <utility>

#include "cpu_device/blas/scalar.h"
#include "cpu_device/blas/strided.h"
#include "simt/cublas_vector.h"

namespace convkit::simt::blas {
namespace {

template <class T>
cublasStatus_t axpy(const char* name, cublasHandle_t handle, int n, const T* alpha, const T* x,
                    int incx, T* y, int incy) {
  Refusal refusal(name);
  if (refusal.no_handle(handle)) return refusal.status();
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  if (refusal.null({{"alpha", alpha}})) return refusal.status();
  const LibraryCall call = library_call(name);
  Scalar<T> factor;
  if (!factor.take(call, *handle, "alpha", alpha)) return CUBLAS_STATUS_EXECUTION_FAILED;
  return status_of(call, enqueue(handle->stream, [=] {
                     T a;
                     if (!factor.read(call, a) || a == T{} ||
                         !may_use(call, vector("x", x, n, incx, Use::read)) ||
                         !may_use(call, vector("y", y, n, incy, Use::update))) {
                       return;
                     }
                     const Strided from(x, n, incx);
                     const Strided to(y, n, incy);
                     for (int i = 0; i < n; ++i) to[i] += a * from[i];
                   }));
}

template <class T>
cublasStatus_t scal(const char* name, cublasHandle_t handle, int n, const T* alpha, T* x,
                    int incx) {
  Refusal refusal(name);
  if (refusal.no_handle(handle)) return refusal.status();
  if (n <= 0 || incx <= 0) return CUBLAS_STATUS_SUCCESS;
  if (refusal.null({{"alpha", alpha}})) return refusal.status();
  const LibraryCall call = library_call(name);
  Scalar<T> factor;
  if (!factor.take(call, *handle, "alpha", alpha)) return CUBLAS_STATUS_EXECUTION_FAILED;
  return status_of(
      call, enqueue(handle->stream, [=] {
        T a;
        if (!factor.read(call, a) || !may_use(call, vector("x", x, n, incx, Use::update))) return;
        const Strided values(x, n, incx);
        for (int i = 0; i < n; ++i) values[i] *= a;
      }));
}

template <class T>
cublasStatus_t copy(const char* name, cublasHandle_t handle, int n, const T* x, int incx, T* y,
                    int incy) {
  Refusal refusal(name);
  if (refusal.no_handle(handle)) return refusal.status();
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  const LibraryCall call = library_call(name);
  return status_of(call, enqueue(handle->stream, [=] {
                     if (!may_use(call, vector("x", x, n, incx, Use::read)) ||
                         !may_use(call, vector("y", y, n, incy, Use::write))) {
                       return;
                     }
                     const Strided from(x, n, incx);
                     const Strided to(y, n, incy);
                     for (int i = 0; i < n; ++i) to[i] = from[i];
                   }));
}

template <class T>
cublasStatus_t swap(const char* name, cublasHandle_t handle, int n, T* x, int incx, T* y,
                    int incy) {
  Refusal refusal(name);
  if (refusal.no_handle(handle)) return refusal.status();
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  const LibraryCall call = library_call(name);
  return status_of(call, enqueue(handle->stream, [=] {
                     if (!may_use(call, vector("x", x, n, incx, Use::update)) ||
                         !may_use(call, vector("y", y, n, incy, Use::update))) {
                       return;
                     }
                     const Strided a(x, n, incx), b(y, n, incy);
                     for (int i = 0; i < n; ++i) std::swap(a[i], b[i]);
                   }));
}

}  // namespace
}  // namespace convkit::simt::blas

namespace blas = convkit::simt::blas;

extern "C" {

cublasStatus_t cublasSaxpy(cublasHandle_t handle, int n, const float* alpha, const float* x,
                           int incx, float* y, int incy) {
  return blas::axpy("cublasSaxpy", handle, n, alpha, x, incx, y, incy);
}
cublasStatus_t cublasDaxpy(cublasHandle_t handle, int n, const double* alpha, const double* x,
                           int incx, double* y, int incy) {
  return blas::axpy("cublasDaxpy", handle, n, alpha, x, incx, y, incy);
}
cublasStatus_t cublasSscal(cublasHandle_t handle, int n, const float* alpha, float* x, int incx) {
  return blas::scal("cublasSscal", handle, n, alpha, x, incx);
}
cublasStatus_t cublasDscal(cublasHandle_t handle, int n, const double* alpha, double* x, int incx) {
  return blas::scal("cublasDscal", handle, n, alpha, x, incx);
}
cublasStatus_t cublasScopy(cublasHandle_t handle, int n, const float* x, int incx, float* y,
                           int incy) {
  return blas::copy("cublasScopy", handle, n, x, incx, y, incy);
}
cublasStatus_t cublasDcopy(cublasHandle_t handle, int n, const double* x, int incx, double* y,
                           int incy) {
  return blas::copy("cublasDcopy", handle, n, x, incx, y, incy);
}
cublasStatus_t cublasSswap(cublasHandle_t handle, int n, float* x, int incx, float* y, int incy) {
  return blas::swap("cublasSswap", handle, n, x, incx, y, incy);
}
cublasStatus_t cublasDswap(cublasHandle_t handle, int n, double* x, int incx, double* y, int incy) {
  return blas::swap("cublasDswap", handle, n, x, incx, y, incy);
}

}  // extern "C"
