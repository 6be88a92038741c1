// SPDX-License-Identifier: MIT
// gemv, ger and geam: a matrix and vectors, sums of matrices, transposes. Link with -lcublas.
#include "../check_cublas.h"

int main() {
  const Blas blas;
  constexpr int m = 3, n = 4, lda = 5;
  const DeviceArray<float> a(numbers<float>(lda * n, 1));
  const float two = 2, one = 1, zero = 0, minus = -1;
  for (const cublasOperation_t trans : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
    const DeviceArray<float> x(numbers<float>(8, 2)), y(numbers<float>(8, 3));
    CHECK(cublasSgemv(blas, trans, m, n, &two, a.data(), lda, x.data(), 2, &minus, y.data(), 1));
    show("gemv", y);
    CHECK(cublasSgemv(blas, trans, m, n, &one, a.data(), lda, x.data(), -1, &one, y.data(), -2));
    show("gemv, backwards", y);
  }
  {
    const DeviceArray<double> b(numbers<double>(m * n, 4)), x(numbers<double>(n, 5)), y(m);
    const double alpha = 3, beta = 0;
    CHECK(
        cublasDgemv(blas, CUBLAS_OP_N, m, n, &alpha, b.data(), m, x.data(), 1, &beta, y.data(), 1));
    show("gemv, double", y);
    CHECK(cublasDger(blas, m, n, &alpha, y.data(), 1, x.data(), 1, b.data(), m));
    show("ger, double", b);
  }
  const DeviceArray<float> x(numbers<float>(2 * m, 6)), y(numbers<float>(n, 7));
  CHECK(cublasSger(blas, m, n, &two, x.data(), 2, y.data(), -1, a.data(), lda));
  show("ger", a);

  const DeviceArray<float> p(numbers<float>(m * n, 8)), q(numbers<float>(m * n, 9)), r(m * n);
  CHECK(cublasSgeam(blas, CUBLAS_OP_N, CUBLAS_OP_N, m, n, &two, p.data(), m, &minus, q.data(), m,
                    r.data(), m));
  show("geam", r);
  CHECK(cublasSgeam(blas, CUBLAS_OP_T, CUBLAS_OP_N, n, m, &one, p.data(), m, &zero, r.data(), n,
                    r.data(), n));
  show("geam, a transpose", r);
  CHECK(cublasSgeam(blas, CUBLAS_OP_N, CUBLAS_OP_T, m, n, &one, p.data(), m, &one, r.data(), n,
                    p.data(), m));
  show("geam, in place", p);
  const DeviceArray<double> s(numbers<double>(m * n, 10)), t(m * n);
  const double d_one = 1, d_zero = 0;
  CHECK(cublasDgeam(blas, CUBLAS_OP_T, CUBLAS_OP_T, n, m, &d_one, s.data(), m, &d_zero, s.data(), m,
                    t.data(), n));
  show("geam, double", t);
}

/* Prints:
gemv: 2 10 -17 4 -1 -2 -2 4
gemv, backwards: -17 10 -15 4 0 -2 -2 4
gemv: 14 40 25 32 -1 -2 -2 4
gemv, backwards: 1 40 30 32 2 -2 9 4
gemv: 14 40 25 32 -1 -2 -2 4
gemv, backwards: 1 40 30 32 2 -2 9 4
gemv, double: 75 66 -111
ger, double: -902 -793 1336 674 596 -1002 -902 -793 1331 903 794 -1336
ger: -29 -28 35 3 -4 -30 -31 28 -4 3 26 25 -26 -1 2 14 19 -18 1 4
geam: 3 6 -2 3 -3 1 -2 9 -9 -4 5 -8
geam, a transpose: 1 1 -2 -1 1 -1 4 4 -3 0 -3 -2
geam, in place: 2 2 -6 2 -2 0 -4 8 -6 -2 8 -4
geam, double: -3 4 4 -4 0 4 3 4 -3 -2 -3 3
*/
