// SPDX-License-Identifier: MIT
// GemmEx and its relatives: products whose types are known at run time.
#include <type_traits>

#include "cpu_device/blas/gemm_shape.h"
#include "cpu_device/blas/half_product.h"
#include "cpu_device/blas/product.h"
#include "cpu_device/blas/scalar.h"
#include "simt/cublas_product.h"

namespace convkit::simt::blas {
namespace {

// A, B and C with their types and the type of alpha and beta.
template <class In, class Out, class Factor>
struct Types {};

struct Matrices {
  const void *a, *b;
  void* c;
};

template <class In, class Out>
using ProductOf = std::conditional_t<std::is_same_v<In, __half>, HalfProduct<Out>, Product<Out>>;

template <class In, class Out, class Factor>
struct GemmEx {
  GemmShape shape;
  Batches batches;
  Scalar<Factor> alpha, beta;
  const In *a, *b;
  Out* c;

  void run(const LibraryCall& call) const {
    Factor given_alpha, given_beta;
    if (!alpha.read(call, given_alpha) || !beta.read(call, given_beta)) return;
    ProductOf<In, Out> product;
    product.transpose_a = shape.transpose_a();
    product.transpose_b = shape.transpose_b();
    product.m = shape.m;
    product.n = shape.n;
    product.k = shape.k;
    product.alpha = static_cast<decltype(product.alpha)>(given_alpha);
    product.beta = static_cast<decltype(product.beta)>(given_beta);
    product.lda = shape.lda;
    product.ldb = shape.ldb;
    product.ldc = shape.ldc;
    product.a = a;
    product.b = b;
    product.c = c;
    const bool multiplies = product.alpha != 0 && shape.k > 0;
    if (multiplies && (!may_use(call, batches.of(shape.a(a), batches.a)) ||
                       !may_use(call, batches.of(shape.b(b), batches.b)))) {
      return;
    }
    const Operand result = batches.of(shape.c(c, product.beta != 0), batches.c);
    if (!may_use(call, result)) return;
    if (multiplies) {
      expect_apart(call,
                   {result, batches.of(shape.a(a), batches.a), batches.of(shape.b(b), batches.b)});
    }
    for (int i = 0; i < batches.count; ++i) {
      multiply(product);
      product.a += batches.a;
      product.b += batches.b;
      product.c += batches.c;
    }
  }
};

struct Call {
  LibraryCall call;
  cublasHandle_t handle;
  GemmShape shape;
  Batches batches;
  const void *alpha, *beta;
  Matrices matrices;

  template <class In, class Out, class Factor>
  cublasStatus_t start(Types<In, Out, Factor>) const {
    GemmEx<In, Out, Factor> gemm{shape,
                                 batches,
                                 {},
                                 {},
                                 static_cast<const In*>(matrices.a),
                                 static_cast<const In*>(matrices.b),
                                 static_cast<Out*>(matrices.c)};
    if (!gemm.alpha.take(call, *handle, "alpha", alpha) ||
        !gemm.beta.take(call, *handle, "beta", beta)) {
      return CUBLAS_STATUS_EXECUTION_FAILED;
    }
    return status_of(call, enqueue(handle->stream, [call = call, gemm] { gemm.run(call); }));
  }
};

std::string type_text(cudaDataType type) {
  switch (type) {
    case CUDA_R_16F:
      return "CUDA_R_16F";
    case CUDA_R_32F:
      return "CUDA_R_32F";
    case CUDA_R_64F:
      return "CUDA_R_64F";
    default:
      return std::to_string(static_cast<int>(type));
  }
}

// The combinations of types that both devices have, in cuBLAS's order: A and B, C, alpha and beta.
cublasStatus_t start(const Call& call, cudaDataType a, cudaDataType b, cudaDataType c,
                     cublasComputeType_t compute) {
  Refusal refusal(call.call.name);
  if (a != b) {
    refusal.with(CUBLAS_STATUS_NOT_SUPPORTED, said("Atype is ", type_text(a), ", and Btype ",
                                                   type_text(b), "; they must be the same"));
    return refusal.status();
  }
  switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      if (a == CUDA_R_16F && c == CUDA_R_16F) return call.start(Types<__half, __half, __half>());
      break;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
      if (a == CUDA_R_16F && c == CUDA_R_16F) return call.start(Types<__half, __half, float>());
      if (a == CUDA_R_16F && c == CUDA_R_32F) return call.start(Types<__half, float, float>());
      [[fallthrough]];
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
      if (a == CUDA_R_32F && c == CUDA_R_32F) return call.start(Types<float, float, float>());
      break;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
      if (a == CUDA_R_64F && c == CUDA_R_64F) return call.start(Types<double, double, double>());
      break;
    default:
      break;
  }
  refusal.with(CUBLAS_STATUS_NOT_SUPPORTED,
               said("Atype and Btype are ", type_text(a), " and Ctype is ", type_text(c),
                    "; the CPU device does not compute them with the compute type ",
                    static_cast<int>(compute)));
  return refusal.status();
}

cublasStatus_t check_and_start(const char* name, cublasHandle_t handle, const GemmShape& shape,
                               const Batches& batches, const void* alpha, const void* beta,
                               const Matrices& matrices, cudaDataType a, cudaDataType b,
                               cudaDataType c, cublasComputeType_t compute) {
  if (const auto status = without_product({name}, handle, shape, batches.count, alpha, beta)) {
    return *status;
  }
  Refusal refusal(name);
  if (refusal.null({{"C", matrices.c}})) return refusal.status();
  return start({library_call(name), handle, shape, batches, alpha, beta, matrices}, a, b, c,
               compute);
}

}  // namespace
}  // namespace convkit::simt::blas

using namespace convkit::simt::blas;

extern "C" {

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void* alpha,
                            const void* A, cudaDataType Atype, int lda, const void* B,
                            cudaDataType Btype, int ldb, const void* beta, void* C,
                            cudaDataType Ctype, int ldc, cublasComputeType_t computeType,
                            cublasGemmAlgo_t) {
  return check_and_start("cublasGemmEx", handle, {transa, transb, m, n, k, lda, ldb, ldc}, {},
                         alpha, beta, {A, B, C}, Atype, Btype, Ctype, computeType);
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void* alpha, const void* A, cudaDataType Atype,
                                          int lda, long long int strideA, const void* B,
                                          cudaDataType Btype, int ldb, long long int strideB,
                                          const void* beta, void* C, cudaDataType Ctype, int ldc,
                                          long long int strideC, int batchCount,
                                          cublasComputeType_t computeType, cublasGemmAlgo_t) {
  return check_and_start("cublasGemmStridedBatchedEx", handle,
                         {transa, transb, m, n, k, lda, ldb, ldc},
                         {batchCount, strideA, strideB, strideC}, alpha, beta, {A, B, C}, Atype,
                         Btype, Ctype, computeType);
}

cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, int m, int n, int k, const float* alpha,
                             const void* A, cudaDataType Atype, int lda, const void* B,
                             cudaDataType Btype, int ldb, const float* beta, void* C,
                             cudaDataType Ctype, int ldc) {
  return check_and_start("cublasSgemmEx", handle, {transa, transb, m, n, k, lda, ldb, ldc}, {},
                         alpha, beta, {A, B, C}, Atype, Btype, Ctype, CUBLAS_COMPUTE_32F);
}

}  // extern "C"
