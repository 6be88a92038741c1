// SPDX-License-Identifier: MIT
// Several products at once: at equal distances, one matrix for all of them, and through arrays of
// pointers in any order. Link with -lcublas.
#include "../check_cublas.h"

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

int main() {
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

/* Prints:
S strided: -17 13 -13 -11 -13 -7 0 9 -4 -8 -7 8 1 0 -11 -11 4 4 -8 8 0
D strided: -17 13 -13 -11 -13 -7 0 9 -4 -8 -7 8 1 0 -11 -11 4 4 -8 8 0
S pointers: -13 9 0 -6 25 8 5 -18 -5 -2 -15 -2 15 7 11 6 13 11
D pointers: -13 9 0 -6 25 8 5 -18 -5 -2 -15 -2 15 7 11 6 13 11
sum: 6 -1 -12 -16 -14 -10
*/
