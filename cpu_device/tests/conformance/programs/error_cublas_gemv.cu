// SPDX-License-Identifier: MIT
// gemv with wrong arguments: in single precision it succeeds (and what it then does to y is not
// asked), in double precision it refuses. Link with -lcublas.
#include "../check_cublas.h"

namespace {

constexpr cublasOperation_t N = CUBLAS_OP_N, T = CUBLAS_OP_T;
const cublasOperation_t kNoOperation = static_cast<cublasOperation_t>(9);

struct Gemv {
  cublasHandle_t blas;

  void operator()(const char* what, cublasOperation_t trans, int m, int n, int lda, int incx,
                  int incy) const {
    const DeviceArray<float> a(numbers<float>(64, 1)), x(numbers<float>(16, 2));
    const DeviceArray<float> y{1, 2, 3, 4};
    const float two = 2, three = 3;
    const cublasStatus_t status =
        cublasSgemv(blas, trans, m, n, &two, a.data(), lda, x.data(), incx, &three, y.data(), incy);
    std::printf("%s: %s\n", what, cublasGetStatusName(status));
  }
};

}  // namespace

int main() {
  const Blas blas;
  const Gemv gemv{blas};
  gemv("m < 0", N, -1, 2, 2, 1, 1);
  gemv("n < 0", N, 2, -1, 2, 1, 1);
  gemv("incx 0", N, 2, 2, 2, 0, 1);
  gemv("incy 0", T, 2, 2, 2, 1, 0);
  gemv("lda < m", T, 2, 1, 1, 1, 1);
  gemv("trans", kNoOperation, 2, 2, 2, 1, 1);
  const double one = 1;
  const DeviceArray<double> x{1, 2}, y{3, 4};
  std::printf("of doubles, lda < m: %s\n",
              cublasGetStatusName(
                  cublasDgemv(blas, N, 2, 1, &one, x.data(), 1, x.data(), 1, &one, y.data(), 1)));
  show("  y", y);
}

/* Prints:
m < 0: CUBLAS_STATUS_SUCCESS
n < 0: CUBLAS_STATUS_SUCCESS
incx 0: CUBLAS_STATUS_SUCCESS
incy 0: CUBLAS_STATUS_SUCCESS
lda < m: CUBLAS_STATUS_SUCCESS
trans: CUBLAS_STATUS_SUCCESS
of doubles, lda < m: CUBLAS_STATUS_INVALID_VALUE
  y: 3 4
*/
