// SPDX-License-Identifier: MIT
// C = alpha * op(A) * op(B) + beta * C on column-major matrices that are there; op(A) is m x k. C
// is not read where beta is 0, nor A and B where alpha or k is.
#pragma once

#include <cstdint>

namespace convkit::simt::blas {

template <class T>
struct Product {
  bool transpose_a = false, transpose_b = false;
  int m = 0, n = 0, k = 0;
  T alpha{};
  const T* a = nullptr;
  int64_t lda = 1;
  const T* b = nullptr;
  int64_t ldb = 1;
  T beta{};
  T* c = nullptr;
  int64_t ldc = 1;
  bool conjugate_a = false, conjugate_b = false;  // of complex numbers
};

// With OpenBLAS, if it was found, on the calling thread.
void multiply(const Product<float>& product);
void multiply(const Product<double>& product);

// With loops of our own.
void multiply_plainly(const Product<float>& product);
void multiply_plainly(const Product<double>& product);

// OpenBLAS, opened when the program starts. On one thread: operations of the device run on the
// thread that waits for them, and a confined process may not have started others.
// CBLAS's functions of these names.
struct OpenBlas {
  using Sgemm = void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int,
                         float, float*, int);
  using Dgemm = void (*)(int, int, int, int, int, int, double, const double*, int, const double*,
                         int, double, double*, int);
  Sgemm sgemm = nullptr;
  Dgemm dgemm = nullptr;

  bool found() const { return sgemm && dgemm; }
};

const OpenBlas& open_blas();

}  // namespace convkit::simt::blas
