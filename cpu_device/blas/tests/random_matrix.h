// SPDX-License-Identifier: MIT
// Random numbers for the tests, and a product as the formula says it.
#pragma once

#include <random>
#include <vector>

#include "cpu_device/blas/product.h"

namespace convkit::simt::blas::test {

template <class T>
std::vector<T> random_values(size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<T> between(-1, 1);
  std::vector<T> values(count);
  for (T& value : values) value = between(generator);
  return values;
}

// In double; C as it would be, of which `product.c` is what it was.
template <class T>
std::vector<double> expected(const Product<T>& product) {
  std::vector<double> c;
  for (int j = 0; j < product.n; ++j) {
    for (int i = 0; i < product.m; ++i) {
      double sum = 0;
      for (int p = 0; p < product.k; ++p) {
        const T a =
            product.transpose_a ? product.a[i * product.lda + p] : product.a[p * product.lda + i];
        const T b =
            product.transpose_b ? product.b[p * product.ldb + j] : product.b[j * product.ldb + p];
        sum += static_cast<double>(a) * static_cast<double>(b);
      }
      sum *= static_cast<double>(product.alpha);
      if (product.beta != 0) {
        sum +=
            static_cast<double>(product.beta) * static_cast<double>(product.c[j * product.ldc + i]);
      }
      c.push_back(sum);
    }
  }
  return c;
}

}  // namespace convkit::simt::blas::test
