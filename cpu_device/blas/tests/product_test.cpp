// SPDX-License-Identifier: MIT
// Products by OpenBLAS, where it is, and by our own loops, against the formula.
#include "cpu_device/blas/product.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "catch.h"
#include "random_matrix.h"

using namespace convkit::simt::blas;

namespace {

template <class T>
using Multiply = void (*)(const Product<T>&);

// One product of random sizes; false where an element is further off than rounding explains.
template <class T>
bool holds(Multiply<T> multiply, unsigned seed, int most) {
  std::mt19937 generator(seed);
  const auto draw = [&](int from, int to) {
    return std::uniform_int_distribution<int>(from, to)(generator);
  };
  Product<T> product;
  product.transpose_a = draw(0, 1);
  product.transpose_b = draw(0, 1);
  product.m = draw(1, most);
  product.n = draw(1, most);
  product.k = draw(0, most);
  const T factors[] = {0, 1, T(-0.5), 2};
  product.alpha = factors[draw(0, 3)];
  product.beta = factors[draw(0, 3)];
  const auto columns_of = [&](int rows, int columns, bool transpose, int64_t& ld) {
    ld = std::max(1, transpose ? columns : rows) + draw(0, 3);
    return static_cast<size_t>(ld * std::max(1, transpose ? rows : columns));
  };
  const auto a = convkit::simt::blas::test::random_values<T>(
      columns_of(product.m, product.k, product.transpose_a, product.lda), seed + 1);
  const auto b = convkit::simt::blas::test::random_values<T>(
      columns_of(product.k, product.n, product.transpose_b, product.ldb), seed + 2);
  product.ldc = product.m + draw(0, 3);
  auto c = convkit::simt::blas::test::random_values<T>(static_cast<size_t>(product.ldc * product.n),
                                                       seed + 3);
  product.a = a.data();
  product.b = b.data();
  product.c = c.data();
  const auto expected = convkit::simt::blas::test::expected(product);
  const std::vector<T> before = c;
  if (product.beta == 0) {
    std::fill(c.begin(), c.end(), std::numeric_limits<T>::quiet_NaN());
  }
  multiply(product);
  const double unit = std::numeric_limits<T>::epsilon() * (product.k + 4) * 2;
  for (int j = 0; j < product.n; ++j) {
    for (int64_t i = 0; i < product.ldc; ++i) {
      const auto at = static_cast<size_t>(j * product.ldc + i);
      if (i >= product.m) {  // between the columns
        if (product.beta != 0 && c[at] != before[at]) return false;
        if (product.beta == 0 && !std::isnan(c[at])) return false;
        continue;
      }
      const double reference = expected[static_cast<size_t>(j) * static_cast<size_t>(product.m) +
                                        static_cast<size_t>(i)];
      if (!(std::fabs(static_cast<double>(c[at]) - reference) <= unit * (product.k + 1))) {
        return false;
      }
    }
  }
  return true;
}

template <class T>
void check_many(Multiply<T> multiply) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    INFO("seed " << seed);
    CHECK(holds<T>(multiply, seed, seed % 10 == 0 ? 150 : 20));
  }
}

}  // namespace

TEST_CASE("our own product agrees with the formula on random shapes") {
  check_many<float>(multiply_plainly);
  check_many<double>(multiply_plainly);
}

TEST_CASE("the product that calls use agrees with the formula on random shapes") {
  check_many<float>(multiply);
  check_many<double>(multiply);
}

TEST_CASE("our own product goes on where a block ends") {
  for (const int size : {95, 96, 97, 193, 257, 260}) {
    Product<float> product;
    product.m = product.n = product.k = size;
    product.lda = product.ldb = product.ldc = size;
    product.alpha = 1;
    const auto count = static_cast<size_t>(size) * static_cast<size_t>(size);
    const std::vector<float> ones(count, 1);
    std::vector<float> c(count, -1);
    product.a = product.b = ones.data();
    product.c = c.data();
    multiply_plainly(product);
    CHECK(std::all_of(c.begin(), c.end(),
                      [&](float value) { return value == static_cast<float>(size); }));
  }
}

TEST_CASE("OpenBLAS is used where the build found it") {
#ifdef CONVKIT_OPENBLAS_LIBRARY
  CHECK(open_blas().found());
#else
  CHECK_FALSE(open_blas().found());
#endif
}
