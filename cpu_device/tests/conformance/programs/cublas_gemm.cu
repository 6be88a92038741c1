// SPDX-License-Identifier: MIT
// gemm in all its transpositions, with leading dimensions larger than needed: what lies between the
// columns of C stays as it was. Link with -lcublas.
#include "../check_cublas.h"

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

int main() {
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
