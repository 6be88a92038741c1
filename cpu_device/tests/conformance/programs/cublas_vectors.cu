// SPDX-License-Identifier: MIT
// Vectors, also with distances between their elements and backwards. Link with -lcublas.
#include "../check_cublas.h"

int main() {
  const Blas blas;
  {
    const DeviceArray<float> x{1, 2, 3, 4, 5, 6}, y{10, 20, 30, 40, 50, 60};
    const float alpha = 2;
    CHECK(cublasSaxpy(blas, 6, &alpha, x.data(), 1, y.data(), 1));
    show("axpy", y);
    CHECK(cublasSaxpy(blas, 3, &alpha, x.data(), 2, y.data(), 2));
    show("axpy, every second", y);
    CHECK(cublasSaxpy(blas, 3, &alpha, x.data(), -1, y.data(), 1));
    show("axpy, x backwards", y);
    CHECK(cublasSscal(blas, 3, &alpha, y.data(), 2));
    show("scal", y);
    CHECK(cublasScopy(blas, 3, x.data(), 1, y.data(), -2));
    show("copy, y backwards", y);
    CHECK(cublasSswap(blas, 3, x.data(), 1, y.data() + 3, 1));
    show("swap, x", x);
    show("swap, y", y);
  }
  {
    const DeviceArray<double> x{1, -2, 3, -4}, y{4, 3, 2, 1};
    const double alpha = -1;
    CHECK(cublasDaxpy(blas, 4, &alpha, x.data(), 1, y.data(), 1));
    CHECK(cublasDscal(blas, 4, &alpha, x.data(), 1));
    CHECK(cublasDswap(blas, 2, x.data(), 1, y.data(), 1));
    show("double, x", x);
    show("double, y", y);
    CHECK(cublasDcopy(blas, 4, x.data(), 1, y.data(), 1));
    show("double, copied", y);
  }
  const DeviceArray<float> x{3, -4, 0, 12, -12, 1}, y{1, 2, 3, 4, 5, 6};
  const DeviceArray<double> u{-3, 4, 0, 12}, v{1, 2, 3, 4};
  float f = 0;
  double d = 0;
  int i = 0;
  CHECK(cublasSdot(blas, 6, x.data(), 1, y.data(), 1, &f));
  show("dot", f);
  CHECK(cublasSdot(blas, 3, x.data(), 2, y.data(), -1, &f));
  show("dot, y backwards", f);
  CHECK(cublasDdot(blas, 4, u.data(), 1, v.data(), 1, &d));
  show("dot, double", d);
  CHECK(cublasSnrm2(blas, 4, x.data(), 1, &f));
  show("nrm2", f);
  CHECK(cublasDnrm2(blas, 4, u.data(), 1, &d));
  show("nrm2, double", d);
  CHECK(cublasSasum(blas, 6, x.data(), 1, &f));
  show("asum", f);
  CHECK(cublasDasum(blas, 2, u.data(), 2, &d));
  show("asum, double, every second", d);
  CHECK(cublasIsamax(blas, 6, x.data(), 1, &i));
  show("amax, the first of two", i);
  CHECK(cublasIdamax(blas, 2, u.data(), 2, &i));
  show("amax, double, every second", i);
  CHECK(cublasIsamin(blas, 6, x.data(), 1, &i));
  show("amin", i);
  CHECK(cublasIdamin(blas, 2, u.data(), 1, &i));
  show("amin, double", i);

  CHECK(cublasSdot(blas, 0, x.data(), 1, y.data(), 1, &f));
  CHECK(cublasSnrm2(blas, 0, x.data(), 1, &f));
  CHECK(cublasIsamax(blas, 0, x.data(), 1, &i));
  show("of nothing", f, i);

  // Squares that no float holds.
  const DeviceArray<float> large{3e30f, 4e30f}, tiny{3e-30f, 4e-30f};
  CHECK(cublasSnrm2(blas, 2, large.data(), 1, &f));
  expect("nrm2 of large numbers", f > 4.99e30f && f < 5.01e30f);
  CHECK(cublasSnrm2(blas, 2, tiny.data(), 1, &f));
  expect("nrm2 of tiny numbers", f > 4.99e-30f && f < 5.01e-30f);
}

/* Prints:
axpy: 12 24 36 48 60 72
axpy, every second: 14 24 42 48 70 72
axpy, x backwards: 20 28 44 48 70 72
scal: 40 28 88 48 140 72
copy, y backwards: 3 28 2 48 1 72
swap, x: 48 1 72 4 5 6
swap, y: 3 28 2 1 2 3
double, x: 3 5 -3 4
double, y: -1 2 -1 5
double, copied: 3 5 -3 4
dot: -11
dot, y backwards: -3
dot, double: 53
nrm2: 13
nrm2, double: 13
asum: 32
asum, double, every second: 3
amax, the first of two: 4
amax, double, every second: 1
amin: 3
amin, double: 1
of nothing: 0 0
nrm2 of large numbers: ok
nrm2 of tiny numbers: ok
*/
