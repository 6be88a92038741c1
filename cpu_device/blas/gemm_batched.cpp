// SPDX-License-Identifier: MIT
// gemmBatched: matrices wherever three arrays of pointers, in device memory themselves, say.
#include "cpu_device/blas/gemm_shape.h"
#include "cpu_device/blas/scalar.h"
#include "simt/cublas_product.h"

namespace convkit::simt::blas {
namespace {

template <class T>
struct GemmBatched {
  GemmShape shape;
  int count;
  Scalar<T> alpha, beta;
  const T* const* a;
  const T* const* b;
  T* const* c;
};

Operand entry(Operand operand, const char* array, int64_t index) {
  operand.argument = array;
  operand.entry = index;
  return operand;
}

template <class T>
void run(const LibraryCall& call, const GemmBatched<T>& gemm) {
  T alpha, beta;
  if (!gemm.alpha.read(call, alpha) || !gemm.beta.read(call, beta)) return;
  const GemmShape& shape = gemm.shape;
  const bool multiplies = alpha != T{} && shape.k > 0;
  if (multiplies && (!may_use(call, vector("Aarray", gemm.a, gemm.count, 1, Use::read)) ||
                     !may_use(call, vector("Barray", gemm.b, gemm.count, 1, Use::read)))) {
    return;
  }
  if (!may_use(call, vector("Carray", gemm.c, gemm.count, 1, Use::read))) return;
  for (int i = 0; i < gemm.count; ++i) {
    const T* a = multiplies ? gemm.a[i] : nullptr;
    const T* b = multiplies ? gemm.b[i] : nullptr;
    if (multiplies && (!may_use(call, entry(shape.a(a), "Aarray", i)) ||
                       !may_use(call, entry(shape.b(b), "Barray", i)))) {
      return;
    }
    if (!may_use(call, entry(shape.c(gemm.c[i], beta != T{}), "Carray", i))) return;
    multiply(shape.product(alpha, a, b, beta, gemm.c[i]));
  }
}

template <class T>
cublasStatus_t start(const Names& names, cublasHandle_t handle, const GemmShape& shape, int count,
                     const T* alpha, const T* const a[], const T* const b[], const T* beta,
                     T* const c[]) {
  const auto status = without_product(names, handle, shape, count, alpha, beta);
  if (status) return *status;
  const LibraryCall call = library_call(names.call);
  GemmBatched<T> gemm{shape, count, {}, {}, a, b, c};
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

cublasStatus_t cublasSgemmBatched(cublasHandle_t handle, cublasOperation_t transa,
                                  cublasOperation_t transb, int m, int n, int k, const float* alpha,
                                  const float* const Aarray[], int lda, const float* const Barray[],
                                  int ldb, const float* beta, float* const Carray[], int ldc,
                                  int batchCount) {
  return start({"cublasSgemmBatched", "SgemmBatched"}, handle,
               {transa, transb, m, n, k, lda, ldb, ldc}, batchCount, alpha, Aarray, Barray, beta,
               Carray);
}
cublasStatus_t cublasDgemmBatched(cublasHandle_t handle, cublasOperation_t transa,
                                  cublasOperation_t transb, int m, int n, int k,
                                  const double* alpha, const double* const Aarray[], int lda,
                                  const double* const Barray[], int ldb, const double* beta,
                                  double* const Carray[], int ldc, int batchCount) {
  return start({"cublasDgemmBatched", "DgemmBatched"}, handle,
               {transa, transb, m, n, k, lda, ldb, ldc}, batchCount, alpha, Aarray, Barray, beta,
               Carray);
}

}  // extern "C"
