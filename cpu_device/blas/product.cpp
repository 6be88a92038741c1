// SPDX-License-Identifier: MIT
#include "cpu_device/blas/product.h"

#include "cpu_device/blas/open_blas.h"

namespace convkit::simt::blas {
namespace {

template <class T, class Gemm>
void multiply_with(const Product<T>& product, Gemm gemm) {
  if (!gemm) {
    multiply_plainly(product);
    return;
  }
  constexpr int kColumnMajor = 102, kNoTranspose = 111, kTranspose = 112;
  gemm(kColumnMajor, product.transpose_a ? kTranspose : kNoTranspose,
       product.transpose_b ? kTranspose : kNoTranspose, product.m, product.n, product.k,
       product.alpha, product.a, static_cast<int>(product.lda), product.b,
       static_cast<int>(product.ldb), product.beta, product.c, static_cast<int>(product.ldc));
}

}  // namespace

void multiply(const Product<float>& product) {
  multiply_with(product, open_blas().sgemm);
}
void multiply(const Product<double>& product) {
  multiply_with(product, open_blas().dgemm);
}

}  // namespace convkit::simt::blas
