// SPDX-License-Identifier: MIT
// Factors and result are blocks of one matrix: their columns lie between each other's, and no
// element is used twice. Of a second one only what is read was written. Link with -lcublas.
#include "../check_cublas.h"

int main() {
  const Blas blas;
  constexpr int ld = 6;
  const DeviceArray<float> all(numbers<float>(ld * 8, 1));
  float* const a = all.data();               // 2 x 4, at the upper left
  float* const b = all.data() + 2;           // 4 x 3, below it
  float* const c = all.data() + 4 * ld;      // 2 x 3, right of it
  float* const d = all.data() + 4 * ld + 2;  // a column of 4, below that
  const float one = 1, zero = 0;
  CHECK(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 3, 4, &one, a, ld, b, ld, &zero, c, ld));
  CHECK(cublasSgemv(blas, CUBLAS_OP_T, 2, 4, &one, a, ld, c + ld, 1, &zero, d, 1));
  show("all", all);

  float* part = nullptr;  // rows 0 and 1 of four, of which nothing else is written
  CHECK(cudaMalloc(&part, 4 * 3 * sizeof(float)));
  const std::vector<float> rows = numbers<float>(6, 2);
  CHECK(cublasSetMatrix(2, 3, sizeof(float), rows.data(), 2, part, 4));
  CHECK(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 3, &one, part, 4, part, 4, &zero,
                    part + 2, 4));
  float square[4] = {};
  CHECK(cublasGetMatrix(2, 2, sizeof(float), part + 2, 4, square, 2));
  show("a matrix and its transpose", square[0], square[1], square[2], square[3]);
  CHECK(cublasSgeam(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, &one, part + 2, 4, &one, part, 4,
                    part + 2, 4));
  CHECK(cublasGetMatrix(2, 2, sizeof(float), part + 2, 4, square, 2));
  show("in place", square[0], square[1], square[2], square[3]);
  CHECK(cudaFree(part));
}

/* Prints:
all: 3 4 3 3 -4 2 1 -4 -4 3 2 1 -2 -1 2 -2 3 -2 1 4 -1 -3 2 -4 22 12 -140 92 50 -116 -12 -26 -3 2 1 2 -4 5 4 -2 4 2 -1 3 0 4 -4 -2
a matrix and its transpose: 33 -9 -9 3
in place: 34 -10 -5 2
*/
