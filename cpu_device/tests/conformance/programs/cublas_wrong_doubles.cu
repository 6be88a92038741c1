// SPDX-License-Identifier: MIT
// Wrong arguments of the functions for doubles: the names in the lines that cuBLAS prints.
// Link with -lcublas.
#include "../check_cublas.h"

namespace {

constexpr cublasOperation_t N = CUBLAS_OP_N;
const double kOne = 1;

void tell(const char* what, cublasStatus_t status) {
  std::printf("%s: %s\n", what, cublasGetStatusName(status));
}

}  // namespace

int main() {
  const Blas blas;
  const DeviceArray<double> array(64);
  double* const a = array.data();
  tell("gemm, m < 0", cublasDgemm(blas, N, N, -1, 2, 2, &kOne, a, 2, a, 2, &kOne, a, 2));
  tell("gemmStridedBatched, count < 0",
       cublasDgemmStridedBatched(blas, N, N, 2, 2, 2, &kOne, a, 2, 4, a, 2, 4, &kOne, a, 2, 4, -1));
  tell("gemmBatched, count < 0", cublasDgemmBatched(blas, N, N, 2, 2, 2, &kOne, nullptr, 2, nullptr,
                                                    2, &kOne, nullptr, 2, -1));
  tell("ger, lda < m", cublasDger(blas, 2, 2, &kOne, a, 1, a, 1, a, 1));
  tell("geam, ldc < m", cublasDgeam(blas, N, N, 2, 1, &kOne, a, 2, &kOne, a, 2, a, 1));
}

/* Prints:
 ** On entry to DGEMM  parameter number 3 had an illegal value
gemm, m < 0: CUBLAS_STATUS_INVALID_VALUE
 ** On entry to DgemmStridedBatched parameter number 14 had an illegal value
gemmStridedBatched, count < 0: CUBLAS_STATUS_INVALID_VALUE
 ** On entry to DgemmBatched parameter number 14 had an illegal value
gemmBatched, count < 0: CUBLAS_STATUS_INVALID_VALUE
 ** On entry to DGER   parameter number 9 had an illegal value
ger, lda < m: CUBLAS_STATUS_INVALID_VALUE
 ** On entry to DGEAM  parameter number 12 had an illegal value
geam, ldc < m: CUBLAS_STATUS_INVALID_VALUE
*/
