// SPDX-License-Identifier: MIT
#include "cpu_device/blas/half_product.h"

#include <algorithm>
#include <vector>

namespace convkit::simt::blas {
namespace {

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

}  // namespace

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

}  // namespace convkit::simt::blas
