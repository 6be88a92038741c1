// SPDX-License-Identifier: MIT
// Wrong arguments: their statuses, and the lines that cuBLAS prints. Nothing is computed. Those of
// gemv are in error_cublas_gemv.cu.
// Link with -lcublas.
#include "../check_cublas.h"

namespace {

constexpr cublasOperation_t N = CUBLAS_OP_N, T = CUBLAS_OP_T;
const cublasOperation_t kNoOperation = static_cast<cublasOperation_t>(9);
const float kOne = 1, kTwo = 2;

void tell(const char* what, cublasStatus_t status) {
  std::printf("%s: %s\n", what, cublasGetStatusName(status));
}

struct Gemm {
  cublasHandle_t handle;
  float *a, *b, *c;

  cublasStatus_t operator()(cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
                            int lda, int ldb, int ldc) const {
    return cublasSgemm(handle, transa, transb, m, n, k, &kOne, a, lda, b, ldb, &kOne, c, ldc);
  }
};

void wrong_products(cublasHandle_t blas, float* a, float* b, float* c) {
  const Gemm gemm{blas, a, b, c};
  tell("gemm, right", gemm(N, N, 2, 2, 2, 2, 2, 2));
  tell("gemm, no handle", Gemm{nullptr, a, b, c}(N, N, 2, 2, 2, 2, 2, 2));
  tell("gemm, no handle and more", Gemm{nullptr, a, b, c}(N, N, -2, 2, 2, 0, 2, 2));
  tell("gemm, m < 0", gemm(N, N, -1, 2, 2, 2, 2, 2));
  tell("gemm, n < 0", gemm(N, N, 2, -1, 2, 2, 2, 2));
  tell("gemm, k < 0", gemm(N, N, 2, 2, -1, 2, 2, 2));
  tell("gemm, transa", gemm(kNoOperation, N, 2, 2, 2, 2, 2, 2));
  tell("gemm, transb", gemm(N, kNoOperation, 2, 2, 2, 2, 2, 2));
  tell("gemm, lda < m", gemm(N, N, 3, 2, 2, 2, 2, 3));
  tell("gemm, lda < k, transposed", gemm(T, N, 2, 2, 3, 2, 3, 2));
  tell("gemm, lda < m, transposed", gemm(T, N, 3, 2, 2, 2, 2, 3));
  tell("gemm, ldb < k", gemm(N, N, 2, 2, 3, 2, 2, 2));
  tell("gemm, ldb < n, transposed", gemm(N, T, 2, 3, 2, 2, 2, 2));
  tell("gemm, ldc < m", gemm(N, N, 3, 2, 2, 3, 2, 2));
  tell("gemm, lda 0", gemm(N, N, 0, 2, 2, 0, 2, 2));
  tell("gemm, no alpha", cublasSgemm(blas, N, N, 2, 2, 2, nullptr, a, 2, b, 2, &kOne, c, 2));
  tell("gemm, no beta", cublasSgemm(blas, N, N, 2, 2, 2, &kOne, a, 2, b, 2, nullptr, c, 2));
  tell("gemm, no C", cublasSgemm(blas, N, N, 2, 2, 2, &kOne, a, 2, b, 2, &kTwo, nullptr, 2));
  tell("gemmStridedBatched, count < 0",
       cublasSgemmStridedBatched(blas, N, N, 2, 2, 2, &kOne, a, 2, 4, b, 2, 4, &kOne, c, 2, 4, -1));
  tell("gemmStridedBatched, ldb",
       cublasSgemmStridedBatched(blas, N, N, 2, 2, 2, &kOne, a, 2, 4, b, 1, 4, &kOne, c, 2, 4, 1));
  tell("gemmBatched, count < 0", cublasSgemmBatched(blas, N, N, 2, 2, 2, &kOne, nullptr, 2, nullptr,
                                                    2, &kOne, nullptr, 2, -1));
  const auto ex = [&](cudaDataType in, cudaDataType out, cublasComputeType_t compute) {
    return cublasGemmEx(blas, N, N, 2, 2, 2, &kOne, a, in, 2, b, in, 2, &kOne, c, out, 2, compute,
                        CUBLAS_GEMM_DEFAULT);
  };
  tell("GemmEx, float to half", ex(CUDA_R_32F, CUDA_R_16F, CUBLAS_COMPUTE_32F));
  tell("GemmEx, double as float", ex(CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_32F));
  tell("GemmEx, float as half", ex(CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_16F));
  tell("GemmEx, two types",
       cublasGemmEx(blas, N, N, 2, 2, 2, &kOne, a, CUDA_R_32F, 2, b, CUDA_R_16F, 2, &kOne, c,
                    CUDA_R_32F, 2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
}

void other_wrong_calls(cublasHandle_t blas, float* a, float* x, float* y) {
  const auto ger = [&](int m, int n, int incx, int incy, int lda) {
    return cublasSger(blas, m, n, &kOne, x, incx, y, incy, a, lda);
  };
  tell("ger, m < 0", ger(-1, 2, 1, 1, 2));
  tell("ger, n < 0", ger(2, -1, 1, 1, 2));
  tell("ger, incx 0", ger(2, 2, 0, 1, 2));
  tell("ger, incy 0", ger(2, 2, 1, 0, 2));
  tell("ger, lda < m", ger(2, 2, 1, 1, 1));
  const auto geam = [&](cublasOperation_t transa, int m, int n, int lda, int ldb, int ldc,
                        float* c) {
    return cublasSgeam(blas, transa, N, m, n, &kOne, a, lda, &kOne, x, ldb, c, ldc);
  };
  tell("geam, m < 0", geam(N, -1, 1, 2, 2, 2, y));
  tell("geam, lda < m", geam(N, 2, 1, 1, 2, 2, y));
  tell("geam, lda < n, transposed", geam(T, 1, 2, 1, 1, 1, y));
  tell("geam, ldb < m", geam(N, 2, 1, 2, 1, 2, y));
  tell("geam, ldc < m", geam(N, 2, 1, 2, 2, 1, y));
  tell("geam, in place and transposed", geam(T, 1, 1, 1, 1, 1, a));
  tell("axpy, no handle", cublasSaxpy(nullptr, 1, &kOne, x, 1, y, 1));
  float result = 0;
  int index = 0;
  tell("dot, no handle", cublasSdot(nullptr, 1, x, 1, y, 1, &result));
  tell("nrm2, no result", cublasSnrm2(blas, 1, x, 1, nullptr));
  tell("asum, no result", cublasSasum(blas, 1, x, 1, nullptr));
  tell("amax, no result", cublasIsamax(blas, 1, x, 1, nullptr));
  tell("amax, no handle", cublasIsamax(nullptr, 1, x, 1, &index));
}

void wrong_copies(float* x) {
  float host[4] = {};
  tell("SetVector, incx 0", cublasSetVector(2, 4, host, 0, x, 1));
  tell("SetVector, incy < 0", cublasSetVector(2, 4, host, 1, x, -1));
  tell("SetVector, size 0", cublasSetVector(2, 0, host, 1, x, 1));
  tell("GetVector, incx 0", cublasGetVector(2, 4, x, 0, host, 1));
  tell("SetMatrix, rows < 0", cublasSetMatrix(-1, 1, 4, host, 1, x, 1));
  tell("SetMatrix, columns < 0", cublasSetMatrix(1, -1, 4, host, 1, x, 1));
  tell("SetMatrix, size 0", cublasSetMatrix(1, 1, 0, host, 1, x, 1));
  tell("SetMatrix, lda 0", cublasSetMatrix(1, 1, 4, host, 0, x, 1));
  tell("GetMatrix, ldb 0", cublasGetMatrix(1, 1, 4, x, 1, host, 0));
}

}  // namespace

int main() {
  const Blas blas;
  const DeviceArray<float> a(64), b(64), c(64);
  tell("create", cublasCreate(nullptr));
  tell("destroy", cublasDestroy(nullptr));
  tell("set stream", cublasSetStream(nullptr, nullptr));
  tell("set pointer mode", cublasSetPointerMode(nullptr, CUBLAS_POINTER_MODE_HOST));
  tell("set math mode", cublasSetMathMode(nullptr, CUBLAS_DEFAULT_MATH));
  tell("version", cublasGetVersion(blas, nullptr));
  tell("property", cublasGetProperty(MAJOR_VERSION, nullptr));
  tell("property of another kind", cublasGetProperty(static_cast<libraryPropertyType>(7), nullptr));
  tell("workspace, odd", cublasSetWorkspace(blas, reinterpret_cast<char*>(a.data()) + 4, 64));
  wrong_products(blas, a.data(), b.data(), c.data());
  other_wrong_calls(blas, a.data(), b.data(), c.data());
  wrong_copies(a.data());
  CHECK(cudaDeviceSynchronize());
  show("nothing computed", c.host()[5]);
}

/* Prints:
create: CUBLAS_STATUS_INVALID_VALUE
destroy: CUBLAS_STATUS_NOT_INITIALIZED
set stream: CUBLAS_STATUS_NOT_INITIALIZED
set pointer mode: CUBLAS_STATUS_NOT_INITIALIZED
set math mode: CUBLAS_STATUS_NOT_INITIALIZED
version: CUBLAS_STATUS_INVALID_VALUE
property: CUBLAS_STATUS_INVALID_VALUE
property of another kind: CUBLAS_STATUS_INVALID_VALUE
workspace, odd: CUBLAS_STATUS_SUCCESS
gemm, right: CUBLAS_STATUS_SUCCESS
gemm, no handle: CUBLAS_STATUS_NOT_INITIALIZED
gemm, no handle and more: CUBLAS_STATUS_NOT_INITIALIZED
 ** On entry to SGEMM  parameter number 3 had an illegal value
gemm, m < 0: CUBLAS_STATUS_INVALID_VALUE
 ** On entry to SGEMM  parameter number 4 had an illegal value
gemm, n < 0: CUBLAS_STATUS_INVALID_VALUE
 ** On entry to SGEMM  parameter number 5 had an illegal value
gemm, k < 0: CUBLAS_STATUS_INVALID_VALUE
 ** On entry to SGEMM  parameter number 1 had an illegal value
gemm, transa: CUBLAS_STATUS_INVALID_VALUE
 ** On entry to SGEMM  parameter number 2 had an illegal value
gemm, transb: CUBLAS_STATUS_INVALID_VALUE
 ** On entry to SGEMM  parameter number 8 had an illegal value
gemm, lda < m: CUBLAS_STATUS_INVALID_VALUE
 ** On entry to SGEMM  parameter number 8 had an illegal value
gemm, lda < k, transposed: CUBLAS_STATUS_INVALID_VALUE
gemm, lda < m, transposed: CUBLAS_STATUS_SUCCESS
 ** On entry to SGEMM  parameter number 10 had an illegal value
gemm, ldb < k: CUBLAS_STATUS_INVALID_VALUE
 ** On entry to SGEMM  parameter number 10 had an illegal value
gemm, ldb < n, transposed: CUBLAS_STATUS_INVALID_VALUE
 ** On entry to SGEMM  parameter number 13 had an illegal value
gemm, ldc < m: CUBLAS_STATUS_INVALID_VALUE
 ** On entry to SGEMM  parameter number 8 had an illegal value
gemm, lda 0: CUBLAS_STATUS_INVALID_VALUE
gemm, no alpha: CUBLAS_STATUS_INVALID_VALUE
gemm, no beta: CUBLAS_STATUS_INVALID_VALUE
gemm, no C: CUBLAS_STATUS_INVALID_VALUE
 ** On entry to SgemmStridedBatched parameter number 14 had an illegal value
gemmStridedBatched, count < 0: CUBLAS_STATUS_INVALID_VALUE
 ** On entry to SgemmStridedBatched parameter number 10 had an illegal value
gemmStridedBatched, ldb: CUBLAS_STATUS_INVALID_VALUE
 ** On entry to SgemmBatched parameter number 14 had an illegal value
gemmBatched, count < 0: CUBLAS_STATUS_INVALID_VALUE
GemmEx, float to half: CUBLAS_STATUS_NOT_SUPPORTED
GemmEx, double as float: CUBLAS_STATUS_NOT_SUPPORTED
GemmEx, float as half: CUBLAS_STATUS_NOT_SUPPORTED
GemmEx, two types: CUBLAS_STATUS_NOT_SUPPORTED
 ** On entry to SGER   parameter number 1 had an illegal value
ger, m < 0: CUBLAS_STATUS_INVALID_VALUE
 ** On entry to SGER   parameter number 2 had an illegal value
ger, n < 0: CUBLAS_STATUS_INVALID_VALUE
 ** On entry to SGER   parameter number 5 had an illegal value
ger, incx 0: CUBLAS_STATUS_INVALID_VALUE
 ** On entry to SGER   parameter number 7 had an illegal value
ger, incy 0: CUBLAS_STATUS_INVALID_VALUE
 ** On entry to SGER   parameter number 9 had an illegal value
ger, lda < m: CUBLAS_STATUS_INVALID_VALUE
 ** On entry to SGEAM  parameter number 3 had an illegal value
geam, m < 0: CUBLAS_STATUS_INVALID_VALUE
 ** On entry to SGEAM  parameter number 7 had an illegal value
geam, lda < m: CUBLAS_STATUS_INVALID_VALUE
 ** On entry to SGEAM  parameter number 7 had an illegal value
geam, lda < n, transposed: CUBLAS_STATUS_INVALID_VALUE
 ** On entry to SGEAM  parameter number 10 had an illegal value
geam, ldb < m: CUBLAS_STATUS_INVALID_VALUE
 ** On entry to SGEAM  parameter number 12 had an illegal value
geam, ldc < m: CUBLAS_STATUS_INVALID_VALUE
geam, in place and transposed: CUBLAS_STATUS_INVALID_VALUE
axpy, no handle: CUBLAS_STATUS_NOT_INITIALIZED
dot, no handle: CUBLAS_STATUS_NOT_INITIALIZED
nrm2, no result: CUBLAS_STATUS_INVALID_VALUE
asum, no result: CUBLAS_STATUS_INVALID_VALUE
amax, no result: CUBLAS_STATUS_INVALID_VALUE
amax, no handle: CUBLAS_STATUS_NOT_INITIALIZED
SetVector, incx 0: CUBLAS_STATUS_INVALID_VALUE
SetVector, incy < 0: CUBLAS_STATUS_INVALID_VALUE
SetVector, size 0: CUBLAS_STATUS_INVALID_VALUE
GetVector, incx 0: CUBLAS_STATUS_INVALID_VALUE
SetMatrix, rows < 0: CUBLAS_STATUS_INVALID_VALUE
SetMatrix, columns < 0: CUBLAS_STATUS_INVALID_VALUE
SetMatrix, size 0: CUBLAS_STATUS_INVALID_VALUE
SetMatrix, lda 0: CUBLAS_STATUS_INVALID_VALUE
GetMatrix, ldb 0: CUBLAS_STATUS_INVALID_VALUE
nothing computed: 0
*/
