// SPDX-License-Identifier: MIT
// cuBLAS: products of matrices. Link with -lcublas.
// Link with -lcublasLt.
#include <cublasLt.h>
#include <cuda_fp16.h>

#include "../check_cublas.h"
#include "../parts.h"

// gemm in all its transpositions, with leading dimensions larger than needed: what lies between the
// columns of C stays as it was.
namespace gemm {

template <class T, class Gemm>
void products(const char* type, const Gemm& gemm) {
  constexpr int m = 3, n = 4, k = 5;
  for (const cublasOperation_t transa : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
    for (const cublasOperation_t transb : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
      const int lda = (transa == CUBLAS_OP_N ? m : k) + 1,
                ldb = (transb == CUBLAS_OP_N ? k : n) + 2;
      constexpr int ldc = m + 1;
      const DeviceArray<T> a(numbers<T>(lda * (transa == CUBLAS_OP_N ? k : m), 1));
      const DeviceArray<T> b(numbers<T>(ldb * (transb == CUBLAS_OP_N ? n : k), 2));
      const DeviceArray<T> c(numbers<T>(ldc * n, 3));
      const T alpha = 2, beta = -1;
      CHECK(gemm(transa, transb, m, n, k, &alpha, a.data(), lda, b.data(), ldb, &beta, c.data(),
                 ldc));
      std::printf("%s %d%d", type, transa, transb);
      show("", c);
    }
  }
}

PART(gemm) {
  const Blas blas;
  products<float>("S", [&](auto... arguments) { return cublasSgemm(blas, arguments...); });
  products<double>("D", [&](auto... arguments) { return cublasDgemm(blas, arguments...); });

  // Larger than any tile, and not a multiple of one: the sums of the result's rows.
  constexpr int m = 131, n = 77, k = 193;
  const DeviceArray<float> a(numbers<float>(m * k, 4)), b(numbers<float>(k * n, 5)), c(m * n);
  const float alpha = 1, beta = 0;
  CHECK(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, a.data(), m, b.data(), k,
                    &beta, c.data(), m));
  const std::vector<float> host = c.host();
  std::vector<int> sums(8);
  for (int i = 0; i < m * n; ++i)
    sums[static_cast<std::size_t>(i % m % 8)] += static_cast<int>(host[i]);
  show("sums of rows", sums);
}

}  // namespace gemm

/* Prints:
S 00: -38 42 5 4 21 -18 -6 4 16 -40 5 -3 62 -13 -22 0
S 01: -56 32 23 4 -11 -2 -6 4 42 8 35 -3 40 -39 4 0
S 02: -56 32 23 4 -11 -2 -6 4 42 8 35 -3 40 -39 4 0
S 10: 48 -48 -9 4 -11 32 -14 4 -14 50 -5 -3 -44 27 0 0
S 11: 74 -28 -27 4 3 -4 0 4 16 46 -17 -3 -54 43 34 0
S 12: 74 -28 -27 4 3 -4 0 4 16 46 -17 -3 -54 43 34 0
S 20: 48 -48 -9 4 -11 32 -14 4 -14 50 -5 -3 -44 27 0 0
S 21: 74 -28 -27 4 3 -4 0 4 16 46 -17 -3 -54 43 34 0
S 22: 74 -28 -27 4 3 -4 0 4 16 46 -17 -3 -54 43 34 0
D 00: -38 42 5 4 21 -18 -6 4 16 -40 5 -3 62 -13 -22 0
D 01: -56 32 23 4 -11 -2 -6 4 42 8 35 -3 40 -39 4 0
D 02: -56 32 23 4 -11 -2 -6 4 42 8 35 -3 40 -39 4 0
D 10: 48 -48 -9 4 -11 32 -14 4 -14 50 -5 -3 -44 27 0 0
D 11: 74 -28 -27 4 3 -4 0 4 16 46 -17 -3 -54 43 34 0
D 12: 74 -28 -27 4 3 -4 0 4 16 46 -17 -3 -54 43 34 0
D 20: 48 -48 -9 4 -11 32 -14 4 -14 50 -5 -3 -44 27 0 0
D 21: 74 -28 -27 4 3 -4 0 4 16 46 -17 -3 -54 43 34 0
D 22: 74 -28 -27 4 3 -4 0 4 16 46 -17 -3 -54 43 34 0
sums of rows: 2520 2617 -1847 4545 -513 1521 3651 1367
*/

// Several products at once: at equal distances, one matrix for all of them, and through arrays of
// pointers in any order.
namespace gemm_batched {

constexpr int kM = 2, kN = 3, kK = 4, kBatches = 3;

template <class T, class Gemm>
void strided(const char* name, const Gemm& gemm) {
  const DeviceArray<T> a(numbers<T>(kM * kK * kBatches + 7, 1)), b(numbers<T>(kK * kN, 2));
  const DeviceArray<T> c((kM * kN + 1) * kBatches);
  const T alpha = 1, beta = 0;
  CHECK(gemm(CUBLAS_OP_N, CUBLAS_OP_N, kM, kN, kK, &alpha, a.data(), kM, kM * kK + 2, b.data(), kK,
             0, &beta, c.data(), kM, kM * kN + 1, kBatches));
  show(name, c);
}

template <class T, class Gemm>
void pointers(const char* name, const Gemm& gemm) {
  const DeviceArray<T> a(numbers<T>(kM * kK * kBatches, 3)), b(numbers<T>(kK * kN * kBatches, 4));
  const DeviceArray<T> c(kM * kN * kBatches);
  std::vector<const T*> as, bs;
  std::vector<T*> cs;
  for (int i = 0; i < kBatches; ++i) {
    as.push_back(a.data() + kM * kK * (kBatches - 1 - i));
    bs.push_back(b.data() + kK * kN * i);
    cs.push_back(c.data() + kM * kN * ((i + 1) % kBatches));
  }
  const DeviceArray<const T*> d_as(as), d_bs(bs);
  const DeviceArray<T*> d_cs(cs);
  const T alpha = -1, beta = 0;
  CHECK(gemm(CUBLAS_OP_T, CUBLAS_OP_N, kM, kN, kK, &alpha, d_as.data(), kK, d_bs.data(), kK, &beta,
             d_cs.data(), kM, kBatches));
  show(name, c);
}

PART(gemm_batched) {
  const Blas blas;
  strided<float>("S strided",
                 [&](auto... arguments) { return cublasSgemmStridedBatched(blas, arguments...); });
  strided<double>("D strided",
                  [&](auto... arguments) { return cublasDgemmStridedBatched(blas, arguments...); });
  pointers<float>("S pointers",
                  [&](auto... arguments) { return cublasSgemmBatched(blas, arguments...); });
  pointers<double>("D pointers",
                   [&](auto... arguments) { return cublasDgemmBatched(blas, arguments...); });

  // All of them added to one sum: the batches of a distance of 0 would race, so they are calls.
  const DeviceArray<float> a(numbers<float>(kM * kK * kBatches, 5)), b(numbers<float>(kK * kN, 6));
  const DeviceArray<float> sum(kM * kN);
  const float one = 1;
  for (int i = 0; i < kBatches; ++i) {
    CHECK(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, kM, kN, kK, &one, a.data() + kM * kK * i, kM,
                      b.data(), kK, &one, sum.data(), kM));
  }
  show("sum", sum);
}

}  // namespace gemm_batched

/* Prints:
S strided: -17 13 -13 -11 -13 -7 0 9 -4 -8 -7 8 1 0 -11 -11 4 4 -8 8 0
D strided: -17 13 -13 -11 -13 -7 0 9 -4 -8 -7 8 1 0 -11 -11 4 4 -8 8 0
S pointers: -13 9 0 -6 25 8 5 -18 -5 -2 -15 -2 15 7 11 6 13 11
D pointers: -13 9 0 -6 25 8 5 -18 -5 -2 -15 -2 15 7 11 6 13 11
sum: 6 -1 -12 -16 -14 -10
*/

// Products of halves by name; names that end with _v2.
namespace half_gemm {

constexpr int kM = 8, kN = 8, kK = 8, kBatches = 2;

PART(half_gemm) {
  const Blas blas;
  const DeviceArray<__half> a(numbers<__half>(kM * kK * kBatches, 1)),
      b(numbers<__half>(kK * kN, 2));
  const DeviceArray<__half> c(numbers<__half>(kM * kN, 3)), both(kM * kN * kBatches);
  const __half two = __float2half(2), one = __float2half(1), zero = __float2half(0);
  CHECK(cublasHgemm(blas, CUBLAS_OP_T, CUBLAS_OP_N, kM, kN, kK, &two, a.data(), kK, b.data(), kK,
                    &one, c.data(), kM));
  CHECK(cublasHgemmStridedBatched(blas, CUBLAS_OP_T, CUBLAS_OP_N, kM, kN, kK, &two, a.data(), kK,
                                  kM * kK, b.data(), kK, 0, &zero, both.data(), kM, kM * kN,
                                  kBatches));
  const DeviceArray<float> fa(numbers<float>(kM * kK * kBatches, 1)),
      fb(numbers<float>(kK * kN, 2));
  const DeviceArray<float> fc(numbers<float>(kM * kN, 3));
  const float f_two = 2, f_one = 1, f_zero = 0;
  CHECK(cublasSgemm_v2(blas, CUBLAS_OP_T, CUBLAS_OP_N, kM, kN, kK, &f_two, fa.data(), kK, fb.data(),
                       kK, &f_one, fc.data(), kM));
  const auto same = [](const std::vector<__half>& halves, size_t from,
                       const std::vector<float>& floats) {
    for (size_t i = 0; i < floats.size(); ++i) {
      if (__half2float(halves[from + i]) != floats[i]) return false;
    }
    return true;
  };
  expect("as floats", same(c.host(), 0, fc.host()));
  for (int i = 0; i < kBatches; ++i) {
    CHECK(cublasSgemm(blas, CUBLAS_OP_T, CUBLAS_OP_N, kM, kN, kK, &f_two, fa.data() + i * kM * kK,
                      kK, fb.data(), kK, &f_zero, fc.data(), kM));
    expect("batch", same(both.host(), size_t(i) * kM * kN, fc.host()));
  }
  const std::vector<float> last = fc.host();
  show("last", last[0], last[1], last[62], last[63]);
}

}  // namespace half_gemm

/* Prints:
as floats: ok
batch: ok
batch: ok
last: -20 -52 -4 -20
*/

// Products whose types are arguments: float, double, and halves with results of either width.
namespace gemm_ex {

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

PART(gemm_ex) {
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

}  // namespace gemm_ex

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

// cublasLt: plain products, transposed, in batches, added to C, and with bias and relu.
namespace lt {

constexpr int kM = 2, kN = 3, kK = 2;

struct Layouts {
  cublasLtMatrixLayout_t a, b, c, d;
};

PART(lt) {
  cublasLtHandle_t handle;
  CHECK(cublasLtCreate(&handle));
  // Columns: A is (1 3; 2 4), B is (1 0 2; 1 1 0).
  DeviceArray<float> a = {1, 2, 3, 4, 1, 0, 0, 1}, b = {1, 1, 0, 1, 2, 0, 1, 1, 0, 1, 2, 0},
                     c = {10, 20, 30, 40, 50, 60}, d(12), bias = {-5, 1};
  cublasLtMatmulDesc_t desc;
  CHECK(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  Layouts l;
  CHECK(cublasLtMatrixLayoutCreate(&l.a, CUDA_R_32F, kM, kK, kM));
  CHECK(cublasLtMatrixLayoutCreate(&l.b, CUDA_R_32F, kK, kN, kK));
  CHECK(cublasLtMatrixLayoutCreate(&l.c, CUDA_R_32F, kM, kN, kM));
  CHECK(cublasLtMatrixLayoutCreate(&l.d, CUDA_R_32F, kM, kN, kM));

  cublasLtMatmulPreference_t preference;
  CHECK(cublasLtMatmulPreferenceCreate(&preference));
  const size_t none = 0;
  CHECK(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                             &none, sizeof none));
  cublasLtMatmulHeuristicResult_t found;
  int count = 0;
  CHECK(cublasLtMatmulAlgoGetHeuristic(handle, desc, l.a, l.b, l.c, l.d, preference, 1, &found,
                                       &count));
  show("algorithms", count);

  const float one = 1, zero = 0;
  const auto product = [&](float factor_of_c) {
    CHECK(cublasLtMatmul(handle, desc, &one, a.data(), l.a, b.data(), l.b, &factor_of_c, c.data(),
                         l.c, d.data(), l.d, nullptr, nullptr, 0, nullptr));
    CHECK(cudaDeviceSynchronize());
    show("d", d.host());
  };
  product(zero);
  product(one);

  const cublasOperation_t turned = CUBLAS_OP_T;
  CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &turned, sizeof turned));
  product(zero);

  const cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_RELU_BIAS;
  const float* d_bias = bias.data();
  CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue,
                                       sizeof epilogue));
  CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &d_bias,
                                       sizeof d_bias));
  product(zero);

  const cublasLtEpilogue_t plain = CUBLASLT_EPILOGUE_DEFAULT;
  CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &plain, sizeof plain));
  const int batches = 2;
  for (cublasLtMatrixLayout_t each : {l.a, l.b, l.c, l.d}) {
    const long long offset = each == l.a ? kM * kK : 6;
    CHECK(cublasLtMatrixLayoutSetAttribute(each, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batches,
                                           sizeof batches));
    CHECK(cublasLtMatrixLayoutSetAttribute(each, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                           &offset, sizeof offset));
  }
  const cublasStatus_t refused =
      cublasLtMatmul(handle, desc, &one, a.data(), l.a, b.data(), l.b, &zero, c.data(), l.c,
                     d.data(), l.d, nullptr, nullptr, 0, nullptr);
  show("with an unused bias", refused == CUBLAS_STATUS_INVALID_VALUE);
  d_bias = nullptr;
  CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &d_bias,
                                       sizeof d_bias));
  product(zero);

  for (cublasLtMatrixLayout_t each : {l.a, l.b, l.c, l.d}) {
    CHECK(cublasLtMatrixLayoutDestroy(each));
  }
  CHECK(cublasLtMatmulPreferenceDestroy(preference));
  CHECK(cublasLtMatmulDescDestroy(desc));
  CHECK(cublasLtDestroy(handle));
}

}  // namespace lt

/* Prints:
algorithms: 1
d: 4 6 3 4 2 4 0 0 0 0 0 0
d: 14 26 33 44 52 64 0 0 0 0 0 0
d: 3 7 2 4 2 6 0 0 0 0 0 0
d: 0 8 0 5 0 7 0 0 0 0 0 0
with an unused bias: 1
d: 3 7 2 4 2 6 1 1 0 1 2 0
*/

// Row-major matrices without a copy: what is A in rows is its transpose in columns, and the product
// in rows is the product of the transposes, the other way round.
namespace row_major {

constexpr int kRows = 3, kColumns = 5, kDepth = 4, kImages = 2;

PART(row_major) {
  const Blas blas;
  const std::vector<float> a = numbers<float>(kRows * kDepth, 1);
  const std::vector<float> b = numbers<float>(kDepth * kColumns * kImages, 2);
  std::vector<float> expected(kRows * kColumns * kImages);
  for (int image = 0; image < kImages; ++image) {
    for (int i = 0; i < kRows; ++i) {
      for (int j = 0; j < kColumns; ++j) {
        for (int p = 0; p < kDepth; ++p) {
          expected[(image * kRows + i) * kColumns + j] +=
              a[i * kDepth + p] * b[(image * kDepth + p) * kColumns + j];
        }
      }
    }
  }
  const DeviceArray<float> d_a(a), d_b(b), d_c(expected.size());
  const float one = 1, zero = 0;
  CHECK(cublasSgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, kColumns, kRows, kDepth, &one,
                                  d_b.data(), kColumns, kDepth * kColumns, d_a.data(), kDepth, 0,
                                  &zero, d_c.data(), kColumns, kRows * kColumns, kImages));
  expect("one matrix of weights, several images", d_c.host() == expected);

  // C = A * B^T, with B stored in rows.
  const std::vector<float> t = numbers<float>(kColumns * kDepth, 3);
  std::vector<float> with_transpose(kRows * kColumns);
  for (int i = 0; i < kRows; ++i) {
    for (int j = 0; j < kColumns; ++j) {
      for (int p = 0; p < kDepth; ++p) {
        with_transpose[i * kColumns + j] += a[i * kDepth + p] * t[j * kDepth + p];
      }
    }
  }
  const DeviceArray<float> d_t(t), d_r(with_transpose.size());
  CHECK(cublasSgemm(blas, CUBLAS_OP_T, CUBLAS_OP_N, kColumns, kRows, kDepth, &one, d_t.data(),
                    kDepth, d_a.data(), kDepth, &zero, d_r.data(), kColumns));
  expect("the second factor transposed", d_r.host() == with_transpose);
}

}  // namespace row_major

/* Prints:
one matrix of weights, several images: ok
the second factor transposed: ok
*/

// Calls take their place in the handle's stream, between kernels and copies of the same stream, and
// behind events of others.
namespace streams {

__global__ void fill_kernel(float* x, float value) {
  x[threadIdx.x] = value;
}

PART(streams) {
  const Blas blas;
  cudaStream_t first, second;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  cudaEvent_t ready;
  CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
  const DeviceArray<float> x(4), y(4);
  CHECK(cudaDeviceSynchronize());
  const float one = 1, ten = 10;

  CHECK(cublasSetStream(blas, first));
  cudaStream_t stream = nullptr;
  CHECK(cublasGetStream(blas, &stream));
  expect("the stream is kept", stream == first);
  fill_kernel<<<1, 4, 0, first>>>(x.data(), 1);
  CHECK(cudaGetLastError());
  CHECK(cublasSscal(blas, 4, &ten, x.data(), 1));
  CHECK(cudaEventRecord(ready, first));

  CHECK(cublasSetStream(blas, second));
  CHECK(cudaStreamWaitEvent(second, ready, 0));
  CHECK(cublasSaxpy(blas, 4, &one, x.data(), 1, y.data(), 1));
  fill_kernel<<<1, 4, 0, second>>>(x.data(), 7);
  CHECK(cudaGetLastError());
  CHECK(cublasSaxpy(blas, 4, &one, x.data(), 1, y.data(), 1));
  float host[4] = {};
  CHECK(cudaMemcpyAsync(host, y.data(), sizeof host, cudaMemcpyDeviceToHost, second));
  CHECK(cudaStreamSynchronize(second));
  show("y", host[0], host[1], host[2], host[3]);

  // A result for the host waits for the stream.
  float sum = 0;
  CHECK(cublasSasum(blas, 4, y.data(), 1, &sum));
  show("sum", sum);
  CHECK(cublasSetStream(blas, nullptr));
  CHECK(cublasSscal(blas, 4, &ten, y.data(), 1));
  show("on the default stream", y);
  CHECK(cudaEventDestroy(ready));
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
}

}  // namespace streams

/* Prints:
the stream is kept: ok
y: 17 17 17 17
sum: 68
on the default stream: 170 170 170 170
*/

// Matrices of which a triangle is stored; solutions that are whole numbers; products with a diagonal.
namespace triangles {

constexpr float kUnread = 1e30f;

PART(triangles) {
  const Blas blas;
  const auto lower = CUBLAS_FILL_MODE_LOWER, upper = CUBLAS_FILL_MODE_UPPER;
  const auto left = CUBLAS_SIDE_LEFT, right = CUBLAS_SIDE_RIGHT;
  const auto N = CUBLAS_OP_N, T = CUBLAS_OP_T;
  const auto full = CUBLAS_DIAG_NON_UNIT, unit = CUBLAS_DIAG_UNIT;
  const float one = 1, two = 2, zero = 0;
  const DeviceArray<float> down{1, 2, 3, kUnread, -1, 5, kUnread, kUnread, 2};
  const DeviceArray<float> b(numbers<float>(6, 1)), c(numbers<float>(6, 2)), square(9);
  CHECK(cublasSsymm(blas, left, lower, 3, 2, &one, down.data(), 3, b.data(), 3, &two, c.data(), 3));
  show("symm", c);
  CHECK(
      cublasSsymm(blas, right, lower, 2, 3, &one, down.data(), 3, b.data(), 2, &zero, c.data(), 2));
  show("symm, right", c);
  CHECK(cublasSsyrk(blas, upper, N, 3, 2, &one, b.data(), 3, &zero, square.data(), 3));
  show("syrk", square);
  CHECK(cublasSsyrk(blas, lower, T, 3, 2, &two, b.data(), 2, &one, square.data(), 3));
  show("syrk, transposed", square);
  CHECK(
      cublasSsyr2k(blas, lower, N, 3, 2, &one, b.data(), 3, c.data(), 3, &zero, square.data(), 3));
  show("syr2k", square);
  for (const auto side : {left, right}) {
    const int m = side == left ? 3 : 2, n = 5 - m;
    for (const auto trans : {N, T}) {
      for (const auto diag : {full, unit}) {
        CHECK(cublasStrmm(blas, side, lower, trans, diag, m, n, &two, down.data(), 3, b.data(), m,
                          c.data(), m));
        std::printf("trmm %d%d%d", side, trans, diag);
        show("", c);
        const float half = 0.5f;
        CHECK(
            cublasStrsm(blas, side, lower, trans, diag, m, n, &half, down.data(), 3, c.data(), m));
        std::printf("trsm %d%d%d", side, trans, diag);
        show("", c);
      }
    }
  }
  const DeviceArray<double> d{1, 2, 3, 4, 5, 6}, scale{1, -1, 2}, scaled(6);
  CHECK(cublasDdgmm(blas, right, 2, 3, d.data(), 2, scale.data(), 1, scaled.data(), 2));
  show("dgmm, columns", scaled);
  CHECK(cublasDdgmm(blas, left, 3, 2, d.data(), 3, scale.data(), 1, scaled.data(), 3));
  show("dgmm, rows", scaled);
}

}  // namespace triangles

/* Prints:
symm: 22 15 43 -1 12 -5
symm, right: -3 16 -17 15 16 31
syrk: 18 0 0 0 32 0 15 4 13
syrk, transposed: 68 42 -8 0 68 -12 15 4 53
syr2k: 72 24 63 0 0 -112 15 4 22
trmm 000: 6 4 70 6 20 -14
trsm 000: 3 4 3 3 -4 2
trmm 001: 6 20 64 6 4 -18
trsm 001: 3 4 3 3 -4 2
trmm 010: 40 22 12 2 28 8
trsm 010: 3 4 3 3 -4 2
trmm 011: 40 38 6 2 12 4
trsm 011: 3 4 3 3 -4 2
trmm 100: -6 32 -46 14 -16 8
trsm 100: 3 4 3 3 -4 2
trmm 101: -6 32 -34 26 -8 4
trsm 101: 3 4 3 3 -4 2
trmm 110: 6 8 6 10 32 62
trsm 110: 3 4 3 3 -4 2
trmm 111: 6 8 18 22 40 58
trsm 111: 3 4 3 3 -4 2
dgmm, columns: 1 2 -3 -4 10 12
dgmm, rows: 1 -2 6 4 -5 12
*/

// Complex numbers, in all transpositions: of C the conjugate transpose.
namespace complex_products {

std::vector<cuComplex> complex_numbers(std::size_t count, unsigned seed) {
  const std::vector<float> parts = numbers<float>(2 * count, seed);
  std::vector<cuComplex> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back({parts[2 * i], parts[2 * i + 1]});
  return values;
}

void show_complex(const char* name, const DeviceArray<cuComplex>& array) {
  std::printf("%s:", name);
  for (const cuComplex& value : array.host()) std::printf(" %g%+gi", value.x + 0, value.y + 0);
  std::printf("\n");
}

PART(complex_products) {
  const Blas blas;
  const cuComplex alpha{0, 1}, beta{-1, 0};
  for (const cublasOperation_t transa : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
    for (const cublasOperation_t transb : {CUBLAS_OP_N, CUBLAS_OP_C}) {
      const DeviceArray<cuComplex> a(complex_numbers(9, 1)), b(complex_numbers(9, 2));
      const DeviceArray<cuComplex> c(complex_numbers(4, 3));
      CHECK(cublasCgemm(blas, transa, transb, 2, 2, 3, &alpha, a.data(), 3, b.data(), 3, &beta,
                        c.data(), 2));
      std::printf("gemm %d%d", transa, transb);
      show_complex("", c);
    }
    const DeviceArray<cuComplex> a(complex_numbers(6, 4)), x(complex_numbers(3, 5));
    const DeviceArray<cuComplex> y(complex_numbers(3, 6));
    CHECK(cublasCgemv(blas, transa, 2, 3, &alpha, a.data(), 2, x.data(), 1, &beta, y.data(), 1));
    std::printf("gemv %d", transa);
    show_complex("", y);
  }
  const DeviceArray<cuComplex> x(complex_numbers(2, 7)), y(complex_numbers(2, 8)), a(4);
  CHECK(cublasCgeru(blas, 2, 2, &alpha, x.data(), 1, y.data(), 1, a.data(), 2));
  show_complex("geru", a);
  CHECK(cublasCgerc(blas, 2, 2, &alpha, x.data(), 1, y.data(), 1, a.data(), 2));
  show_complex("geru + gerc", a);
  const DeviceArray<cuDoubleComplex> p{{1, 2}, {3, 4}}, q{{0, 1}, {2, 0}}, r(2);
  const cuDoubleComplex one{1, 0}, zero{0, 0};
  CHECK(cublasZgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, p.data(), 1, 1,
                                  q.data(), 1, 1, &zero, r.data(), 1, 1, 2));
  for (const cuDoubleComplex& value : r.host()) show("double", value.x, value.y);
}

}  // namespace complex_products

/* Prints:
gemm 00: 14+12i -29-17i 1-9i -11+10i
gemm 02: 0-10i -6-2i -22+24i -3-6i
gemv 0: -32+26i 0-13i -4+4i
gemm 10: 2+32i -12-29i 4+10i -7+8i
gemm 12: -16-14i -6+3i -25+5i 30-7i
gemv 1: -22+0i -18+13i -5-1i
gemm 20: 18+22i -4-25i 16-8i -13-10i
gemm 22: 10-6i -2-5i 3+31i -4+3i
gemv 2: -6-14i 14-13i 3-15i
geru: -5-1i 8+0i 7-9i -8+16i
geru + gerc: -6+4i 8-8i 18-12i -24+24i
double: -2 1
double: 6 8
*/
