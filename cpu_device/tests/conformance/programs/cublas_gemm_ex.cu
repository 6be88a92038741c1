// SPDX-License-Identifier: MIT
// Products whose types are arguments: float, double, and halves with results of either width.
// Link with -lcublas.
#include <cuda_fp16.h>

#include "../check_cublas.h"

constexpr int kM = 4, kN = 8, kK = 8;  // multiples of what any device asks for

template <class In, class Out, class Factor>
void product(const char* name, cublasHandle_t blas, cudaDataType in, cudaDataType out,
             cublasComputeType_t compute) {
  const DeviceArray<In> a(numbers<In>(kM * kK, 1)), b(numbers<In>(kK * kN, 2));
  const DeviceArray<Out> c(numbers<Out>(kM * kN, 3));
  const Factor alpha = Factor(2.0f), beta = Factor(1.0f);
  CHECK(cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, kM, kN, kK, &alpha, a.data(), in, kM, b.data(),
                     in, kK, &beta, c.data(), out, kM, compute, CUBLAS_GEMM_DEFAULT));
  show(name, c);
}

int main() {
  const Blas blas;
  product<float, float, float>("float", blas, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  product<double, double, double>("double", blas, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F);
  product<__half, __half, float>("half, summed as float", blas, CUDA_R_16F, CUDA_R_16F,
                                 CUBLAS_COMPUTE_32F);
  product<__half, float, float>("half to float", blas, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  product<__half, __half, __half>("half", blas, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);

  // The result is rounded once: 2049 lies between two halves, 2048 + 1 + 1 does not.
  const DeviceArray<__half> row{__half(2048.0f), __half(1.0f), __half(1.0f), __half(0.0f)};
  const DeviceArray<__half> ones{__half(1.0f), __half(1.0f), __half(1.0f), __half(1.0f)};
  const DeviceArray<__half> sum(1);
  const float one = 1, zero = 0;
  CHECK(cublasGemmEx(blas, CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, 4, &one, row.data(), CUDA_R_16F, 4,
                     ones.data(), CUDA_R_16F, 4, &zero, sum.data(), CUDA_R_16F, 1,
                     CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  show("rounded once", sum);

  constexpr int kBatches = 2;
  const DeviceArray<__half> a(numbers<__half>(kM * kK * kBatches, 4));
  const DeviceArray<__half> b(numbers<__half>(kK * kN, 5));
  const DeviceArray<float> c(kM * kN * kBatches);
  CHECK(cublasGemmStridedBatchedEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, kM, kN, kK, &one, a.data(),
                                   CUDA_R_16F, kM, kM * kK, b.data(), CUDA_R_16F, kK, 0, &zero,
                                   c.data(), CUDA_R_32F, kM, kM * kN, kBatches, CUBLAS_COMPUTE_32F,
                                   CUBLAS_GEMM_DEFAULT));
  show("batches", c);
  CHECK(cublasSgemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, kM, kN, kK, &one, a.data(), CUDA_R_16F, kM,
                      b.data(), CUDA_R_16F, kK, &one, c.data(), CUDA_R_32F, kM));
  show("SgemmEx", c);
  // As it was called before CUDA 11: the sums' type is a type of data.
  CHECK(cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, kM, kN, kK, &one, a.data(), CUDA_R_16F, kM,
                     b.data(), CUDA_R_16F, kK, &zero, c.data(), CUDA_R_32F, kM, CUDA_R_32F,
                     CUBLAS_GEMM_DEFAULT));
  show("an old call", c);
}
