// SPDX-License-Identifier: MIT
// Row-major matrices without a copy: what is A in rows is its transpose in columns, and the product
// in rows is the product of the transposes, the other way round. Link with -lcublas.
#include "../check_cublas.h"

constexpr int kRows = 3, kColumns = 5, kDepth = 4, kImages = 2;

int main() {
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

/* Prints:
one matrix of weights, several images: ok
the second factor transposed: ok
*/
