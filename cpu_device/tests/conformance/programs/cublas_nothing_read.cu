// SPDX-License-Identifier: MIT
// With a factor of 0 the result is written and not read, so NaN in it does not spread. Sizes of 0
// are no error. Link with -lcublas.
#include <cmath>

#include "../check_cublas.h"

int main() {
  const Blas blas;
  const float nan = std::nanf("");
  const DeviceArray<float> a{1, 2, 3, 4}, b{5, 6, 7, 8}, x{1, -1};
  const float one = 1, zero = 0, two = 2;
  {
    const DeviceArray<float> c{nan, nan, nan, nan}, y{nan, nan};
    CHECK(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a.data(), 2, b.data(), 2,
                      &zero, c.data(), 2));
    show("gemm", c);
    CHECK(cublasSgemv(blas, CUBLAS_OP_N, 2, 2, &one, a.data(), 2, x.data(), 1, &zero, y.data(), 1));
    show("gemv", y);
  }
  const DeviceArray<float> c{1, 2, 3, 4}, y{1, 2};
  CHECK(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 0, &one, a.data(), 2, b.data(), 1, &two,
                    c.data(), 2));
  show("no products", c);
  CHECK(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 0, 2, 2, &one, a.data(), 2, b.data(), 2, &zero,
                    c.data(), 2));
  CHECK(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 0, 2, &one, a.data(), 2, b.data(), 2, &zero,
                    c.data(), 2));
  CHECK(cublasSgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a.data(), 2, 4,
                                  b.data(), 2, 4, &zero, c.data(), 2, 4, 0));
  CHECK(cublasSaxpy(blas, 0, &one, x.data(), 1, y.data(), 1));
  CHECK(cublasSger(blas, 0, 2, &one, x.data(), 1, x.data(), 1, c.data(), 2));
  CHECK(cublasSscal(blas, 0, &zero, y.data(), 1));
  show("nothing done", c);
  show("nothing done", y);
}

/* Prints:
gemm: 23 34 31 46
gemv: -2 -2
no products: 2 4 6 8
nothing done: 2 4 6 8
nothing done: 1 2
*/
