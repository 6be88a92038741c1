// SPDX-License-Identifier: MIT
// GemmEx and its relatives: products whose types are known at run time.
#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "cpu_device/blas/gemm_shape.h"
#include "cpu_device/blas/product.h"
#include "cpu_device/blas/scalar.h"
#include "simt/cublas_product.h"
#include "simt/half_type.h"

namespace convkit::simt::blas {
namespace {

// Products of halves: in float, rounded once at the end.

// C is half or float. The factors are float, as its sums are.
template <class Result>
struct HalfProduct {
  bool transpose_a = false, transpose_b = false;
  int m = 0, n = 0, k = 0;
  float alpha = 1;
  const __half* a = nullptr;
  int64_t lda = 1;
  const __half* b = nullptr;
  int64_t ldb = 1;
  float beta = 0;
  Result* c = nullptr;
  int64_t ldc = 1;
};

// The matrix as floats, its columns one behind the other.
std::vector<float> widened(const __half* from, int rows, int columns, int64_t ld) {
  std::vector<float> to(static_cast<size_t>(rows) * static_cast<size_t>(columns));
  float* at = to.data();
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) *at++ = static_cast<float>(from[j * ld + i]);
  }
  return to;
}

template <class Result>
void multiply_into(const HalfProduct<Result>& in, float* c, int64_t ldc) {
  const bool multiplies = in.alpha != 0 && in.k > 0;
  const int a_rows = in.transpose_a ? in.k : in.m, a_columns = in.transpose_a ? in.m : in.k;
  const int b_rows = in.transpose_b ? in.n : in.k, b_columns = in.transpose_b ? in.k : in.n;
  std::vector<float> a, b;
  if (multiplies) {
    a = widened(in.a, a_rows, a_columns, in.lda);
    b = widened(in.b, b_rows, b_columns, in.ldb);
  }
  multiply(Product<float>{in.transpose_a, in.transpose_b, in.m, in.n, in.k, in.alpha, a.data(),
                          std::max(1, a_rows), b.data(), std::max(1, b_rows), in.beta, c, ldc});
}

void multiply(const HalfProduct<float>& product) {
  multiply_into(product, product.c, product.ldc);
}

void multiply(const HalfProduct<__half>& product) {
  std::vector<float> c;
  if (product.beta == 0) {
    c.resize(static_cast<size_t>(product.m) * static_cast<size_t>(product.n));
  } else {
    c = widened(product.c, product.m, product.n, product.ldc);
  }
  multiply_into(product, c.data(), product.m);
  const float* from = c.data();
  for (int j = 0; j < product.n; ++j) {
    for (int i = 0; i < product.m; ++i) product.c[j * product.ldc + i] = __half(*from++);
  }
}

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

cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const __half* alpha,
                           const __half* A, int lda, const __half* B, int ldb, const __half* beta,
                           __half* C, int ldc) {
  return check_and_start("cublasHgemm", handle, {transa, transb, m, n, k, lda, ldb, ldc}, {}, alpha,
                         beta, {A, B, C}, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);
}

cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const __half* alpha, const __half* A, int lda,
                                         long long int strideA, const __half* B, int ldb,
                                         long long int strideB, const __half* beta, __half* C,
                                         int ldc, long long int strideC, int batchCount) {
  return check_and_start("cublasHgemmStridedBatched", handle,
                         {transa, transb, m, n, k, lda, ldb, ldc},
                         {batchCount, strideA, strideB, strideC}, alpha, beta, {A, B, C},
                         CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);
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
