// SPDX-License-Identifier: MIT
// Level 1: what changes vectors. axpy, scal, copy, swap.
// Level 1: what makes one number of vectors. dot, nrm2, asum, amax, amin. Floats are summed in
// double, so the order of the sum does not show.
#include <cmath>
#include <limits>
#include <utility>

#include "cpu_device/blas/arguments.h"
#include "cpu_device/blas/scalar.h"
#include "simt/cublas_vector.h"
#include "simt/runtime_api.h"

namespace convkit::simt::blas {
namespace {

// Calls that give one number: to the host, which then waits, or to device memory.

// compute(call, value) runs as an operation; it returns false after it has reported why there is no
// value.
template <class R, class Compute>
cublasStatus_t give_result(const LibraryCall& call, const cublasContext& handle, R* result,
                           const Compute& compute) {
  Refusal refusal(call.name);
  if (refusal.null({{"result", result}})) return refusal.status();
  if (handle.pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {
    return status_of(call, enqueue(handle.stream, [=] {
                       Operand operand = vector("result", result, 1, 1, Use::write);
                       operand.remark = ", whose handle's pointer mode is device";
                       R value{};
                       if (compute(call, value) && may_use(call, operand)) *result = value;
                     }));
  }
  if (!is_host_memory(call, "result", result, ", whose handle's pointer mode is host")) {
    refusal.with(CUBLAS_STATUS_EXECUTION_FAILED,
                 "result is a device pointer, and the handle's pointer mode is "
                 "CUBLAS_POINTER_MODE_HOST");
    return refusal.status();
  }
  const cudaError_t error = enqueue(handle.stream, [=] { compute(call, *result); });
  return status_of(call, error != cudaSuccess ? error : cudaStreamSynchronize(handle.stream));
}

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

namespace convkit::simt::blas {
namespace {

template <class T>
T dot(const Strided<const T>& x, const Strided<const T>& y, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(y[i]);
  return static_cast<T>(sum);
}

template <class T>
T nrm2(const Strided<const T>& x, int n) {
  // Squares of doubles may overflow, or vanish, where their root does not.
  double unit = 1;
  if constexpr (sizeof(T) == sizeof(double)) {
    double largest = 0;
    for (int i = 0; i < n; ++i) largest = std::fmax(largest, std::fabs(x[i]));
    if (largest > 0 && std::isfinite(largest)) unit = std::exp2(std::ilogb(largest));
  }
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double part = static_cast<double>(x[i]) / unit;
    sum += part * part;
  }
  return static_cast<T>(std::sqrt(sum) * unit);
}

template <class T>
T asum(const Strided<const T>& x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += std::fabs(static_cast<double>(x[i]));
  return static_cast<T>(sum);
}

// Counted from 1; the first of equal ones.
template <class T>
int extreme(const Strided<const T>& x, int n, bool largest) {
  int found = 0;
  for (int i = 1; i < n; ++i) {
    const T here = std::fabs(x[i]), best = std::fabs(x[found]);
    if (largest ? here > best : here < best) found = i;
  }
  return found + 1;
}

template <class T>
cublasStatus_t dot_of(const char* name, cublasHandle_t handle, int n, const T* x, int incx,
                      const T* y, int incy, T* result) {
  Refusal refusal(name);
  if (refusal.no_handle(handle)) return refusal.status();
  return give_result(library_call(name), *handle, result, [=](const LibraryCall& call, T& value) {
    value = T{};
    if (n <= 0) return true;
    if (!may_use(call, vector("x", x, n, incx, Use::read)) ||
        !may_use(call, vector("y", y, n, incy, Use::read))) {
      return false;
    }
    value = dot<T>({x, n, incx}, {y, n, incy}, n);
    return true;
  });
}

// `reduce(vector, n)` of one vector; 0 if the vector is empty or its distance is not positive.
template <class T, class R, class Reduce>
cublasStatus_t reduce(const char* name, cublasHandle_t handle, int n, const T* x, int incx,
                      R* result, const Reduce& of) {
  Refusal refusal(name);
  if (refusal.no_handle(handle)) return refusal.status();
  return give_result(library_call(name), *handle, result, [=](const LibraryCall& call, R& value) {
    value = R{};
    if (n <= 0 || incx <= 0) return true;
    if (!may_use(call, vector("x", x, n, incx, Use::read))) return false;
    value = of(Strided<const T>(x, n, incx), n);
    return true;
  });
}

template <class T>
cublasStatus_t extreme_of(const char* name, cublasHandle_t handle, int n, const T* x, int incx,
                          int* result, bool largest) {
  return reduce(name, handle, n, x, incx, result, [=](const Strided<const T>& values, int count) {
    return extreme(values, count, largest);
  });
}

}  // namespace
}  // namespace convkit::simt::blas

namespace blas = convkit::simt::blas;

extern "C" {

cublasStatus_t cublasSdot(cublasHandle_t handle, int n, const float* x, int incx, const float* y,
                          int incy, float* result) {
  return blas::dot_of("cublasSdot", handle, n, x, incx, y, incy, result);
}
cublasStatus_t cublasDdot(cublasHandle_t handle, int n, const double* x, int incx, const double* y,
                          int incy, double* result) {
  return blas::dot_of("cublasDdot", handle, n, x, incx, y, incy, result);
}
cublasStatus_t cublasSnrm2(cublasHandle_t handle, int n, const float* x, int incx, float* result) {
  return blas::reduce("cublasSnrm2", handle, n, x, incx, result, blas::nrm2<float>);
}
cublasStatus_t cublasDnrm2(cublasHandle_t handle, int n, const double* x, int incx,
                           double* result) {
  return blas::reduce("cublasDnrm2", handle, n, x, incx, result, blas::nrm2<double>);
}
cublasStatus_t cublasSasum(cublasHandle_t handle, int n, const float* x, int incx, float* result) {
  return blas::reduce("cublasSasum", handle, n, x, incx, result, blas::asum<float>);
}
cublasStatus_t cublasDasum(cublasHandle_t handle, int n, const double* x, int incx,
                           double* result) {
  return blas::reduce("cublasDasum", handle, n, x, incx, result, blas::asum<double>);
}
cublasStatus_t cublasIsamax(cublasHandle_t handle, int n, const float* x, int incx, int* result) {
  return blas::extreme_of("cublasIsamax", handle, n, x, incx, result, true);
}
cublasStatus_t cublasIdamax(cublasHandle_t handle, int n, const double* x, int incx, int* result) {
  return blas::extreme_of("cublasIdamax", handle, n, x, incx, result, true);
}
cublasStatus_t cublasIsamin(cublasHandle_t handle, int n, const float* x, int incx, int* result) {
  return blas::extreme_of("cublasIsamin", handle, n, x, incx, result, false);
}
cublasStatus_t cublasIdamin(cublasHandle_t handle, int n, const double* x, int incx, int* result) {
  return blas::extreme_of("cublasIdamin", handle, n, x, incx, result, false);
}

}  // extern "C"
