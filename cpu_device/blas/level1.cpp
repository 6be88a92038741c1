// SPDX-License-Identifier: MIT
// Level 1: what changes vectors. axpy, scal, copy, swap.
// Level 1: what makes one number of vectors. dot, nrm2, asum, amax, amin. Floats are summed in
// double, so the order of the sum does not show.
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>

#include "cpu_device/blas/arguments.h"
#include "cpu_device/blas/scalar.h"
#include "simt/cublas_vector.h"
#include "simt/half_type.h"
#include "simt/runtime_api.h"

namespace convkit::simt::blas {
namespace {

// What sums are made in, and back.
inline double wide(float value) {
  return static_cast<double>(value);
}
inline double wide(double value) {
  return value;
}
inline double wide(__half value) {
  return static_cast<double>(static_cast<float>(value));
}
template <class Real>
DoubleComplex wide(std::complex<Real> value) {
  return {value.real(), value.imag()};
}
template <class T, class Wide>
T narrow(Wide value) {
  if constexpr (std::is_same_v<T, Complex>) {
    return {static_cast<float>(value.real()), static_cast<float>(value.imag())};
  } else {
    return static_cast<T>(value);
  }
}

// The real numbers that an element consists of.
template <class T, class Visit>
void for_each_part(const Strided<const T>& x, int n, const Visit& visit) {
  for (int i = 0; i < n; ++i) {
    const auto value = wide(x[i]);
    if constexpr (std::is_same_v<decltype(value), const double>) {
      visit(value);
    } else {
      visit(value.real());
      visit(value.imag());
    }
  }
}
// |x|, of complex numbers the sum of both parts' magnitudes.
template <class T>
double magnitude(T x) {
  const auto value = wide(x);
  if constexpr (std::is_same_v<decltype(value), const double>) {
    return std::fabs(value);
  } else {
    return std::fabs(value.real()) + std::fabs(value.imag());
  }
}

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

template <class T, class Factor>
cublasStatus_t axpy(const char* name, cublasHandle_t handle, int n, const Factor* alpha, const T* x,
                    int incx, T* y, int incy) {
  Refusal refusal(name);
  if (refusal.no_handle(handle)) return refusal.status();
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  if (refusal.null({{"alpha", alpha}})) return refusal.status();
  const LibraryCall call = library_call(name);
  Scalar<Factor> factor;
  if (!factor.take(call, *handle, "alpha", alpha)) return CUBLAS_STATUS_EXECUTION_FAILED;
  return status_of(
      call, enqueue(handle->stream, [=] {
        Factor a;
        if (!factor.read(call, a) || a == Factor{} ||
            !may_use(call, vector("x", x, n, incx, Use::read)) ||
            !may_use(call, vector("y", y, n, incy, Use::update))) {
          return;
        }
        const Strided from(x, n, incx);
        const Strided to(y, n, incy);
        for (int i = 0; i < n; ++i) {
          to[i] = static_cast<T>(static_cast<Factor>(to[i]) + a * static_cast<Factor>(from[i]));
        }
      }));
}

template <class T, class Factor>
cublasStatus_t scal(const char* name, cublasHandle_t handle, int n, const Factor* alpha, T* x,
                    int incx) {
  Refusal refusal(name);
  if (refusal.no_handle(handle)) return refusal.status();
  if (n <= 0 || incx <= 0) return CUBLAS_STATUS_SUCCESS;
  if (refusal.null({{"alpha", alpha}})) return refusal.status();
  const LibraryCall call = library_call(name);
  Scalar<Factor> factor;
  if (!factor.take(call, *handle, "alpha", alpha)) return CUBLAS_STATUS_EXECUTION_FAILED;
  return status_of(
      call, enqueue(handle->stream, [=] {
        Factor a;
        if (!factor.read(call, a) || !may_use(call, vector("x", x, n, incx, Use::update))) return;
        const Strided values(x, n, incx);
        for (int i = 0; i < n; ++i) {
          if constexpr (std::is_same_v<T, __half>) {
            values[i] = __half(static_cast<float>(values[i]) * a);
          } else {
            values[i] *= a;
          }
        }
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
T dot(const Strided<const T>& x, const Strided<const T>& y, int n, bool conjugate) {
  decltype(wide(T{})) sum = 0;
  for (int i = 0; i < n; ++i) {
    if constexpr (std::is_same_v<decltype(sum), double>) {
      sum += wide(x[i]) * wide(y[i]);
    } else {
      sum += (conjugate ? std::conj(wide(x[i])) : wide(x[i])) * wide(y[i]);
    }
  }
  return narrow<T>(sum);
}

// R: the type of the result.
template <class T, class R>
R nrm2(const Strided<const T>& x, int n) {
  // Squares of doubles may overflow, or vanish, where their root does not.
  double unit = 1;
  if constexpr (sizeof(R) == sizeof(double)) {
    double largest = 0;
    for_each_part(x, n, [&](double part) { largest = std::fmax(largest, std::fabs(part)); });
    if (largest > 0 && std::isfinite(largest)) unit = std::exp2(std::ilogb(largest));
  }
  double sum = 0;
  for_each_part(x, n, [&](double part) { sum += part / unit * (part / unit); });
  return static_cast<R>(std::sqrt(sum) * unit);
}

template <class T, class R>
R asum(const Strided<const T>& x, int n) {
  double sum = 0;
  for_each_part(x, n, [&](double part) { sum += std::fabs(part); });
  return static_cast<R>(sum);
}

// Counted from 1; the first of equal ones.
template <class T>
int extreme(const Strided<const T>& x, int n, bool largest) {
  int found = 0;
  for (int i = 1; i < n; ++i) {
    const double here = magnitude(x[i]), best = magnitude(x[found]);
    if (largest ? here > best : here < best) found = i;
  }
  return found + 1;
}

template <class T>
cublasStatus_t dot_of(const char* name, cublasHandle_t handle, int n, const T* x, int incx,
                      const T* y, int incy, T* result, bool conjugate = false) {
  Refusal refusal(name);
  if (refusal.no_handle(handle)) return refusal.status();
  return give_result(library_call(name), *handle, result, [=](const LibraryCall& call, T& value) {
    value = T{};
    if (n <= 0) return true;
    if (!may_use(call, vector("x", x, n, incx, Use::read)) ||
        !may_use(call, vector("y", y, n, incy, Use::read))) {
      return false;
    }
    value = dot<T>({x, n, incx}, {y, n, incy}, n, conjugate);
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

template <class T>
cublasStatus_t rot(const char* name, cublasHandle_t handle, int n, T* x, int incx, T* y, int incy,
                   const T* c, const T* s) {
  Refusal refusal(name);
  if (refusal.no_handle(handle)) return refusal.status();
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  if (refusal.null({{"c", c}, {"s", s}})) return refusal.status();
  const LibraryCall call = library_call(name);
  Scalar<T> cosine, sine;
  if (!cosine.take(call, *handle, "c", c) || !sine.take(call, *handle, "s", s)) {
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
  return status_of(call, enqueue(handle->stream, [=] {
                     T along, across;
                     if (!cosine.read(call, along) || !sine.read(call, across) ||
                         !may_use(call, vector("x", x, n, incx, Use::update)) ||
                         !may_use(call, vector("y", y, n, incy, Use::update))) {
                       return;
                     }
                     const Strided a(x, n, incx), b(y, n, incy);
                     for (int i = 0; i < n; ++i) {
                       const T turned = along * a[i] + across * b[i];
                       b[i] = along * b[i] - across * a[i];
                       a[i] = turned;
                     }
                   }));
}

// Types at run time.

template <class T>
struct Real {
  using type = T;
};
template <class T>
struct Real<std::complex<T>> {
  using type = T;
};
template <class T>
using RealOf = typename Real<T>::type;

// What elements of the type are multiplied by, and summed in.
template <class T>
T factor_of(T) {
  return T{};
}
inline float factor_of(__half) {
  return 0;
}

template <class T>
constexpr cudaDataType type_of() {
  return std::is_same_v<T, float>     ? CUDA_R_32F
         : std::is_same_v<T, double>  ? CUDA_R_64F
         : std::is_same_v<T, __half>  ? CUDA_R_16F
         : std::is_same_v<T, Complex> ? CUDA_C_32F
                                      : CUDA_C_64F;
}

inline cublasStatus_t no_types(const char* name) {
  Refusal refusal(name);
  refusal.with(CUBLAS_STATUS_NOT_SUPPORTED, "its types are no combination that is supported");
  return refusal.status();
}

// use(T{}, factor): all `elements` have the type T, all `factors` that of what multiplies T.
template <class Use>
cublasStatus_t of_type(const char* name, std::initializer_list<cudaDataType> elements,
                       std::initializer_list<cudaDataType> factors, const Use& use) {
  const cudaDataType type = *elements.begin();
  const auto all = [](std::initializer_list<cudaDataType> types, cudaDataType wanted) {
    return std::all_of(types.begin(), types.end(), [=](cudaDataType t) { return t == wanted; });
  };
  const auto as = [&](auto one) {
    const auto factor = factor_of(one);
    const bool fits = all(elements, type) && all(factors, type_of<decltype(factor_of(one))>());
    return fits ? use(one, factor) : no_types(name);
  };
  switch (type) {
    case CUDA_R_32F:
      return as(float{});
    case CUDA_R_64F:
      return as(double{});
    case CUDA_R_16F:
      return as(__half{});
    case CUDA_C_32F:
      return as(Complex{});
    case CUDA_C_64F:
      return as(DoubleComplex{});
    default:
      return no_types(name);
  }
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
  return blas::reduce("cublasSnrm2", handle, n, x, incx, result, blas::nrm2<float, float>);
}
cublasStatus_t cublasDnrm2(cublasHandle_t handle, int n, const double* x, int incx,
                           double* result) {
  return blas::reduce("cublasDnrm2", handle, n, x, incx, result, blas::nrm2<double, double>);
}
cublasStatus_t cublasSasum(cublasHandle_t handle, int n, const float* x, int incx, float* result) {
  return blas::reduce("cublasSasum", handle, n, x, incx, result, blas::asum<float, float>);
}
cublasStatus_t cublasDasum(cublasHandle_t handle, int n, const double* x, int incx,
                           double* result) {
  return blas::reduce("cublasDasum", handle, n, x, incx, result, blas::asum<double, double>);
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

cublasStatus_t cublasCaxpy(cublasHandle_t handle, int n, const cuComplex* alpha, const cuComplex* x,
                           int incx, cuComplex* y, int incy) {
  return blas::axpy("cublasCaxpy", handle, n, blas::complex(alpha), blas::complex(x), incx,
                    blas::complex(y), incy);
}
cublasStatus_t cublasCscal(cublasHandle_t handle, int n, const cuComplex* alpha, cuComplex* x,
                           int incx) {
  return blas::scal("cublasCscal", handle, n, blas::complex(alpha), blas::complex(x), incx);
}
cublasStatus_t cublasCsscal(cublasHandle_t handle, int n, const float* alpha, cuComplex* x,
                            int incx) {
  return blas::scal("cublasCsscal", handle, n, alpha, blas::complex(x), incx);
}
cublasStatus_t cublasCcopy(cublasHandle_t handle, int n, const cuComplex* x, int incx, cuComplex* y,
                           int incy) {
  return blas::copy("cublasCcopy", handle, n, blas::complex(x), incx, blas::complex(y), incy);
}
cublasStatus_t cublasCswap(cublasHandle_t handle, int n, cuComplex* x, int incx, cuComplex* y,
                           int incy) {
  return blas::swap("cublasCswap", handle, n, blas::complex(x), incx, blas::complex(y), incy);
}
cublasStatus_t cublasCdotu(cublasHandle_t handle, int n, const cuComplex* x, int incx,
                           const cuComplex* y, int incy, cuComplex* result) {
  return blas::dot_of("cublasCdotu", handle, n, blas::complex(x), incx, blas::complex(y), incy,
                      blas::complex(result), false);
}
cublasStatus_t cublasCdotc(cublasHandle_t handle, int n, const cuComplex* x, int incx,
                           const cuComplex* y, int incy, cuComplex* result) {
  return blas::dot_of("cublasCdotc", handle, n, blas::complex(x), incx, blas::complex(y), incy,
                      blas::complex(result), true);
}
cublasStatus_t cublasScnrm2(cublasHandle_t handle, int n, const cuComplex* x, int incx,
                            float* result) {
  return blas::reduce("cublasScnrm2", handle, n, blas::complex(x), incx, result,
                      blas::nrm2<blas::Complex, float>);
}
cublasStatus_t cublasScasum(cublasHandle_t handle, int n, const cuComplex* x, int incx,
                            float* result) {
  return blas::reduce("cublasScasum", handle, n, blas::complex(x), incx, result,
                      blas::asum<blas::Complex, float>);
}
cublasStatus_t cublasIcamax(cublasHandle_t handle, int n, const cuComplex* x, int incx,
                            int* result) {
  return blas::extreme_of("cublasIcamax", handle, n, blas::complex(x), incx, result, true);
}
cublasStatus_t cublasIcamin(cublasHandle_t handle, int n, const cuComplex* x, int incx,
                            int* result) {
  return blas::extreme_of("cublasIcamin", handle, n, blas::complex(x), incx, result, false);
}
cublasStatus_t cublasZaxpy(cublasHandle_t handle, int n, const cuDoubleComplex* alpha,
                           const cuDoubleComplex* x, int incx, cuDoubleComplex* y, int incy) {
  return blas::axpy("cublasZaxpy", handle, n, blas::complex(alpha), blas::complex(x), incx,
                    blas::complex(y), incy);
}
cublasStatus_t cublasZscal(cublasHandle_t handle, int n, const cuDoubleComplex* alpha,
                           cuDoubleComplex* x, int incx) {
  return blas::scal("cublasZscal", handle, n, blas::complex(alpha), blas::complex(x), incx);
}
cublasStatus_t cublasZdscal(cublasHandle_t handle, int n, const double* alpha, cuDoubleComplex* x,
                            int incx) {
  return blas::scal("cublasZdscal", handle, n, alpha, blas::complex(x), incx);
}
cublasStatus_t cublasZcopy(cublasHandle_t handle, int n, const cuDoubleComplex* x, int incx,
                           cuDoubleComplex* y, int incy) {
  return blas::copy("cublasZcopy", handle, n, blas::complex(x), incx, blas::complex(y), incy);
}
cublasStatus_t cublasZswap(cublasHandle_t handle, int n, cuDoubleComplex* x, int incx,
                           cuDoubleComplex* y, int incy) {
  return blas::swap("cublasZswap", handle, n, blas::complex(x), incx, blas::complex(y), incy);
}
cublasStatus_t cublasZdotu(cublasHandle_t handle, int n, const cuDoubleComplex* x, int incx,
                           const cuDoubleComplex* y, int incy, cuDoubleComplex* result) {
  return blas::dot_of("cublasZdotu", handle, n, blas::complex(x), incx, blas::complex(y), incy,
                      blas::complex(result), false);
}
cublasStatus_t cublasZdotc(cublasHandle_t handle, int n, const cuDoubleComplex* x, int incx,
                           const cuDoubleComplex* y, int incy, cuDoubleComplex* result) {
  return blas::dot_of("cublasZdotc", handle, n, blas::complex(x), incx, blas::complex(y), incy,
                      blas::complex(result), true);
}
cublasStatus_t cublasDznrm2(cublasHandle_t handle, int n, const cuDoubleComplex* x, int incx,
                            double* result) {
  return blas::reduce("cublasDznrm2", handle, n, blas::complex(x), incx, result,
                      blas::nrm2<blas::DoubleComplex, double>);
}
cublasStatus_t cublasDzasum(cublasHandle_t handle, int n, const cuDoubleComplex* x, int incx,
                            double* result) {
  return blas::reduce("cublasDzasum", handle, n, blas::complex(x), incx, result,
                      blas::asum<blas::DoubleComplex, double>);
}
cublasStatus_t cublasIzamax(cublasHandle_t handle, int n, const cuDoubleComplex* x, int incx,
                            int* result) {
  return blas::extreme_of("cublasIzamax", handle, n, blas::complex(x), incx, result, true);
}
cublasStatus_t cublasIzamin(cublasHandle_t handle, int n, const cuDoubleComplex* x, int incx,
                            int* result) {
  return blas::extreme_of("cublasIzamin", handle, n, blas::complex(x), incx, result, false);
}
cublasStatus_t cublasSrot(cublasHandle_t handle, int n, float* x, int incx, float* y, int incy,
                          const float* c, const float* s) {
  return blas::rot("cublasSrot", handle, n, x, incx, y, incy, c, s);
}
cublasStatus_t cublasDrot(cublasHandle_t handle, int n, double* x, int incx, double* y, int incy,
                          const double* c, const double* s) {
  return blas::rot("cublasDrot", handle, n, x, incx, y, incy, c, s);
}
cublasStatus_t cublasAxpyEx(cublasHandle_t handle, int n, const void* alpha, cudaDataType alphaType,
                            const void* x, cudaDataType xType, int incx, void* y,
                            cudaDataType yType, int incy, cudaDataType executionType) {
  return blas::of_type(
      "cublasAxpyEx", {xType, yType}, {alphaType, executionType}, [=](auto one, auto factor) {
        using T = decltype(one);
        using Factor = decltype(factor);
        return blas::axpy("cublasAxpyEx", handle, n, static_cast<const Factor*>(alpha),
                          static_cast<const T*>(x), incx, static_cast<T*>(y), incy);
      });
}
cublasStatus_t cublasScalEx(cublasHandle_t handle, int n, const void* alpha, cudaDataType alphaType,
                            void* x, cudaDataType xType, int incx, cudaDataType executionType) {
  return blas::of_type(
      "cublasScalEx", {xType}, {alphaType, executionType}, [=](auto one, auto factor) {
        using T = decltype(one);
        using Factor = decltype(factor);
        return blas::scal("cublasScalEx", handle, n, static_cast<const Factor*>(alpha),
                          static_cast<T*>(x), incx);
      });
}
cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void* x, cudaDataType xType,
                           int incx, const void* y, cudaDataType yType, int incy, void* result,
                           cudaDataType resultType, cudaDataType executionType) {
  return blas::of_type(
      "cublasDotEx", {xType, yType, resultType}, {executionType}, [=](auto one, auto) {
        using T = decltype(one);
        return blas::dot_of("cublasDotEx", handle, n, static_cast<const T*>(x), incx,
                            static_cast<const T*>(y), incy, static_cast<T*>(result), false);
      });
}
cublasStatus_t cublasDotcEx(cublasHandle_t handle, int n, const void* x, cudaDataType xType,
                            int incx, const void* y, cudaDataType yType, int incy, void* result,
                            cudaDataType resultType, cudaDataType executionType) {
  return blas::of_type(
      "cublasDotcEx", {xType, yType, resultType}, {executionType}, [=](auto one, auto) {
        using T = decltype(one);
        return blas::dot_of("cublasDotcEx", handle, n, static_cast<const T*>(x), incx,
                            static_cast<const T*>(y), incy, static_cast<T*>(result), true);
      });
}
cublasStatus_t cublasNrm2Ex(cublasHandle_t handle, int n, const void* x, cudaDataType xType,
                            int incx, void* result, cudaDataType resultType,
                            cudaDataType executionType) {
  return blas::of_type("cublasNrm2Ex", {xType}, {}, [=](auto one, auto) {
    using T = decltype(one);
    using R = blas::RealOf<T>;
    if (resultType != blas::type_of<R>() ||
        executionType != blas::type_of<decltype(blas::factor_of(R()))>()) {
      return blas::no_types("cublasNrm2Ex");
    }
    return blas::reduce("cublasNrm2Ex", handle, n, static_cast<const T*>(x), incx,
                        static_cast<R*>(result), blas::nrm2<T, R>);
  });
}
cublasStatus_t cublasAsumEx(cublasHandle_t handle, int n, const void* x, cudaDataType xType,
                            int incx, void* result, cudaDataType resultType,
                            cudaDataType executionType) {
  return blas::of_type("cublasAsumEx", {xType}, {}, [=](auto one, auto) {
    using T = decltype(one);
    using R = blas::RealOf<T>;
    if (resultType != blas::type_of<R>() ||
        executionType != blas::type_of<decltype(blas::factor_of(R()))>()) {
      return blas::no_types("cublasAsumEx");
    }
    return blas::reduce("cublasAsumEx", handle, n, static_cast<const T*>(x), incx,
                        static_cast<R*>(result), blas::asum<T, R>);
  });
}
cublasStatus_t cublasCopyEx(cublasHandle_t handle, int n, const void* x, cudaDataType xType,
                            int incx, void* y, cudaDataType yType, int incy) {
  return blas::of_type("cublasCopyEx", {xType, yType}, {}, [=](auto one, auto) {
    using T = decltype(one);
    return blas::copy("cublasCopyEx", handle, n, static_cast<const T*>(x), incx, static_cast<T*>(y),
                      incy);
  });
}
cublasStatus_t cublasSwapEx(cublasHandle_t handle, int n, void* x, cudaDataType xType, int incx,
                            void* y, cudaDataType yType, int incy) {
  return blas::of_type("cublasSwapEx", {xType, yType}, {}, [=](auto one, auto) {
    using T = decltype(one);
    return blas::swap("cublasSwapEx", handle, n, static_cast<T*>(x), incx, static_cast<T*>(y),
                      incy);
  });
}
cublasStatus_t cublasIamaxEx(cublasHandle_t handle, int n, const void* x, cudaDataType xType,
                             int incx, int* result) {
  return blas::of_type("cublasIamaxEx", {xType}, {}, [=](auto one, auto) {
    using T = decltype(one);
    return blas::extreme_of("cublasIamaxEx", handle, n, static_cast<const T*>(x), incx, result,
                            true);
  });
}
cublasStatus_t cublasIaminEx(cublasHandle_t handle, int n, const void* x, cudaDataType xType,
                             int incx, int* result) {
  return blas::of_type("cublasIaminEx", {xType}, {}, [=](auto one, auto) {
    using T = decltype(one);
    return blas::extreme_of("cublasIaminEx", handle, n, static_cast<const T*>(x), incx, result,
                            false);
  });
}

}  // extern "C"
