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

/* Prints:
float: -44 36 15 -18 37 -12 2 62 -56 0 39 -19 -58 23 -4 -10 16 -55 -30 -6 -31 -13 -45 -61 60 -95 10 3 -16 -9 17 -14
double: -44 36 15 -18 37 -12 2 62 -56 0 39 -19 -58 23 -4 -10 16 -55 -30 -6 -31 -13 -45 -61 60 -95 10 3 -16 -9 17 -14
half, summed as float: -44 36 15 -18 37 -12 2 62 -56 0 39 -19 -58 23 -4 -10 16 -55 -30 -6 -31 -13 -45 -61 60 -95 10 3 -16 -9 17 -14
half to float: -44 36 15 -18 37 -12 2 62 -56 0 39 -19 -58 23 -4 -10 16 -55 -30 -6 -31 -13 -45 -61 60 -95 10 3 -16 -9 17 -14
half: -44 36 15 -18 37 -12 2 62 -56 0 39 -19 -58 23 -4 -10 16 -55 -30 -6 -31 -13 -45 -61 60 -95 10 3 -16 -9 17 -14
rounded once: 2050
batches: 36 9 -46 30 10 41 30 -9 -35 -30 2 -22 -56 -11 27 -12 30 0 5 6 40 13 -12 -11 -8 -15 25 -4 15 45 7 -4 -22 -14 -24 34 2 -15 13 16 12 -15 3 -32 3 10 16 -15 -34 -33 -23 -5 -4 5 11 12 6 7 33 -19 9 -17 -1 33
SgemmEx: 72 18 -92 60 20 82 60 -18 -70 -60 4 -44 -112 -22 54 -24 60 0 10 12 80 26 -24 -22 -16 -30 50 -8 30 90 14 -8 -22 -14 -24 34 2 -15 13 16 12 -15 3 -32 3 10 16 -15 -34 -33 -23 -5 -4 5 11 12 6 7 33 -19 9 -17 -1 33
an old call: 36 9 -46 30 10 41 30 -9 -35 -30 2 -22 -56 -11 27 -12 30 0 5 6 40 13 -12 -11 -8 -15 25 -4 15 45 7 -4 -22 -14 -24 34 2 -15 13 16 12 -15 3 -32 3 10 16 -15 -34 -33 -23 -5 -4 5 11 12 6 7 33 -19 9 -17 -1 33
*/
