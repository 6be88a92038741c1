// SPDX-License-Identifier: MIT
// cuBLAS: vectors, handles and wrong arguments. Link with -lcublas.
#include <cmath>
#include <cstring>

#include "../check_cublas.h"
#include "../parts.h"

// Vectors and matrices with distances between elements and columns, from the host and back.
namespace copies {

PART(copies) {
  const std::vector<float> host{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const DeviceArray<float> device(12);
  std::vector<float> back(12, -1);
  CHECK(cublasSetVector(4, sizeof(float), host.data(), 3, device.data(), 1));
  show("every third", device);
  CHECK(cublasGetVector(3, sizeof(float), device.data(), 1, back.data(), 4));
  show("spread", back);
  CHECK(cublasSetMatrix(2, 3, sizeof(float), host.data(), 4, device.data(), 3));
  show("two rows of four", device);
  std::fill(back.begin(), back.end(), -1.0f);
  CHECK(cublasGetMatrix(2, 3, sizeof(float), device.data(), 3, back.data(), 2));
  show("packed", back);

  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cublasSetMatrixAsync(3, 4, sizeof(float), host.data(), 3, device.data(), 3, stream));
  std::fill(back.begin(), back.end(), -1.0f);
  CHECK(cublasGetVectorAsync(6, sizeof(float), device.data(), 2, back.data(), 1, stream));
  CHECK(cudaStreamSynchronize(stream));
  show("in order of the stream", back);
  const DeviceArray<double> doubles{1.5, 2.5};
  double two[2] = {};
  CHECK(cublasGetVector(2, sizeof(double), doubles.data(), 1, two, 1));
  show("doubles", two[0], two[1]);
  CHECK(cudaStreamDestroy(stream));
}

}  // namespace copies

/* Prints:
every third: 0 3 6 9 0 0 0 0 0 0 0 0
spread: 0 -1 -1 -1 3 -1 -1 -1 6 -1 -1 -1
two rows of four: 0 1 6 4 5 0 8 9 0 0 0 0
packed: 0 1 4 5 8 9 -1 -1 -1 -1 -1 -1
in order of the stream: 0 2 4 6 8 10 -1 -1 -1 -1 -1 -1
doubles: 1.5 2.5
*/

// Handles, their settings, and the words for statuses.
namespace handle {

PART(handle) {
  const Blas blas, other;
  int version = 0, major = 0;
  CHECK(cublasGetVersion(blas, &version));
  CHECK(cublasGetProperty(MAJOR_VERSION, &major));
  expect("version", version >= 11000 && major >= 11);
  expect("cudart", cublasGetCudartVersion() >= 11000);

  cudaStream_t stream = reinterpret_cast<cudaStream_t>(1);
  CHECK(cublasGetStream(blas, &stream));
  expect("the default stream at first", stream == nullptr);
  cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_DEVICE;
  CHECK(cublasGetPointerMode(blas, &pointers));
  show("pointer mode", static_cast<int>(pointers));
  cublasMath_t math = CUBLAS_PEDANTIC_MATH;
  CHECK(cublasGetMathMode(blas, &math));
  show("math mode", static_cast<int>(math));
  CHECK(cublasSetMathMode(blas, CUBLAS_PEDANTIC_MATH));
  CHECK(cublasGetMathMode(blas, &math));
  show("math mode", static_cast<int>(math));
  CHECK(cublasGetMathMode(other, &math));
  show("of the other handle", static_cast<int>(math));
  cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_ALLOWED;
  CHECK(cublasGetAtomicsMode(blas, &atomics));
  show("atomics mode", static_cast<int>(atomics));
  CHECK(cublasSetAtomicsMode(blas, CUBLAS_ATOMICS_ALLOWED));
  CHECK(cublasGetAtomicsMode(blas, &atomics));
  show("atomics mode", static_cast<int>(atomics));

  const DeviceArray<char> workspace(1 << 20);
  CHECK(cublasSetWorkspace(blas, workspace.data(), 1 << 20));
  const DeviceArray<float> a{1, 2, 3, 4}, b{1, 0, 0, 1}, c(4);
  const float one = 1, zero = 0;
  CHECK(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a.data(), 2, b.data(), 2, &zero,
                    c.data(), 2));
  show("with a workspace", c);

  for (const int status : {0, 1, 3, 7, 8, 11, 13, 14, 15, 16}) {
    const char* name = cublasGetStatusName(static_cast<cublasStatus_t>(status));
    const char* words = cublasGetStatusString(static_cast<cublasStatus_t>(status));
    std::printf("%d %s: %s\n", status, name, words);
  }
}

}  // namespace handle

/* Prints:
version: ok
cudart: ok
the default stream at first: ok
pointer mode: 0
math mode: 0
math mode: 2
of the other handle: 0
atomics mode: 0
atomics mode: 1
with a workspace: 1 2 3 4
0 CUBLAS_STATUS_SUCCESS: success
1 CUBLAS_STATUS_NOT_INITIALIZED: the library was not initialized
3 CUBLAS_STATUS_ALLOC_FAILED: the resource allocation failed
7 CUBLAS_STATUS_INVALID_VALUE: an unsupported value or parameter was passed to the function
8 CUBLAS_STATUS_ARCH_MISMATCH: the function requires an architectural feature absent from the device
11 CUBLAS_STATUS_MAPPING_ERROR: an access to GPU memory space failed
13 CUBLAS_STATUS_EXECUTION_FAILED: the function failed to launch on the GPU
14 CUBLAS_STATUS_INTERNAL_ERROR: an internal operation failed
15 CUBLAS_STATUS_NOT_SUPPORTED: the requested functionality is not supported
16 CUBLAS_STATUS_LICENSE_ERROR: the license check failed
*/

// gemv, ger and geam: a matrix and vectors, sums of matrices, transposes.
namespace matrix_vector {

PART(matrix_vector) {
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

}  // namespace matrix_vector

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

// With a factor of 0 the result is written and not read, so NaN in it does not spread. Sizes of 0
// are no error.
namespace nothing_read {

PART(nothing_read) {
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

}  // namespace nothing_read

/* Prints:
gemm: 23 34 31 46
gemv: -2 -2
no products: 2 4 6 8
nothing done: 2 4 6 8
nothing done: 1 2
*/

// Factors and results in device memory: a factor is read when the operation runs, so a kernel
// before it may compute it, and the host need not wait.
namespace pointer_modes {

__global__ void reciprocal_kernel(const float* x, float* y) {
  *y = 1 / *x;
}

PART(pointer_modes) {
  const Blas blas;
  const DeviceArray<float> x{3, 4, 0, 0}, y{1, 1, 1, 1};
  const DeviceArray<float> norm(1), factor(1);
  const DeviceArray<int> index(1);
  CHECK(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
  CHECK(cublasSnrm2(blas, 4, x.data(), 1, norm.data()));
  reciprocal_kernel<<<1, 1>>>(norm.data(), factor.data());
  CHECK(cudaGetLastError());
  CHECK(cublasSscal(blas, 4, factor.data(), x.data(), 1));
  CHECK(cublasIsamax(blas, 4, x.data(), 1, index.data()));
  show("norm", norm);
  show("largest", index);
  const std::vector<float> scaled = x.host();
  expect("scaled to 1", scaled[0] > 0.599999f && scaled[0] < 0.600001f && scaled[1] > 0.799999f);

  const DeviceArray<float> two{2}, one{1};
  CHECK(cublasSaxpy(blas, 4, two.data(), y.data(), 1, y.data(), 1));
  show("axpy", y);
  const DeviceArray<float> a(numbers<float>(4, 1)), b(numbers<float>(4, 2)),
      c(numbers<float>(4, 3));
  CHECK(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, two.data(), a.data(), 2, b.data(), 2,
                    one.data(), c.data(), 2));
  show("gemm", c);
  CHECK(cublasSdot(blas, 4, y.data(), 1, y.data(), 1, norm.data()));
  show("dot", norm);

  cublasPointerMode_t mode = CUBLAS_POINTER_MODE_HOST;
  CHECK(cublasGetPointerMode(blas, &mode));
  show("mode", static_cast<int>(mode));
  CHECK(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_HOST));
  // In host mode the factor is taken at the call: it may change afterwards.
  float alpha = 3;
  CHECK(cublasSscal(blas, 4, &alpha, y.data(), 1));
  alpha = 100;
  show("scal", y);
}

}  // namespace pointer_modes

/* Prints:
norm: 5
largest: 2
scaled to 1: ok
axpy: 3 3 3 3
gemm: 0 6 21 30
dot: 36
mode: 1
scal: 9 9 9 9
*/

// Vectors, also with distances between their elements and backwards.
namespace vectors {

PART(vectors) {
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

}  // namespace vectors

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

// Wrong arguments: their statuses, and the lines that cuBLAS prints. Nothing is computed. Those of
// gemv are in error_cublas_gemv.cu.
namespace wrong_arguments {

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

PART(wrong_arguments) {
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

}  // namespace wrong_arguments

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

// Wrong arguments of the functions for doubles: the names in the lines that cuBLAS prints.
namespace wrong_doubles {

namespace {

constexpr cublasOperation_t N = CUBLAS_OP_N;
const double kOne = 1;

void tell(const char* what, cublasStatus_t status) {
  std::printf("%s: %s\n", what, cublasGetStatusName(status));
}

}  // namespace

PART(wrong_doubles) {
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

}  // namespace wrong_doubles

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

// Vectors of complex numbers.
namespace complex_vectors {

void show_complex(const char* name, const std::vector<cuComplex>& values) {
  std::printf("%s:", name);
  for (const cuComplex& value : values) std::printf(" %g%+gi", value.x + 0, value.y + 0);
  std::printf("\n");
}

PART(complex_vectors) {
  const Blas blas;
  const DeviceArray<cuComplex> x{{1, 2}, {3, -4}, {0, 1}}, y{{1, 0}, {0, 1}, {2, 2}};
  const cuComplex alpha{0, 2};
  CHECK(cublasCaxpy(blas, 3, &alpha, x.data(), 1, y.data(), 1));
  show_complex("axpy", y.host());
  CHECK(cublasCscal(blas, 2, &alpha, y.data(), 2));
  show_complex("scal, every second", y.host());
  const float half = 0.5f;
  CHECK(cublasCsscal(blas, 3, &half, y.data(), 1));
  show_complex("scal by a real number", y.host());
  CHECK(cublasCswap(blas, 3, x.data(), 1, y.data(), -1));
  show_complex("swap, x", x.host());
  CHECK(cublasCcopy(blas, 2, y.data(), 1, x.data() + 1, 1));
  show_complex("copy", x.host());
  cuComplex f;
  float norm = 0;
  int index = 0;
  CHECK(cublasCdotu(blas, 3, x.data(), 1, y.data(), 1, &f));
  show_complex("dotu", {f});
  CHECK(cublasCdotc(blas, 3, x.data(), 1, y.data(), 1, &f));
  show_complex("dotc", {f});
  CHECK(cublasScasum(blas, 3, y.data(), 1, &norm));
  CHECK(cublasIcamax(blas, 3, y.data(), 1, &index));
  show("asum, amax", norm, index);
  CHECK(cublasIcamin(blas, 3, y.data(), 1, &index));
  show("amin", index);
  const DeviceArray<cuComplex> z{{2, 4}, {5, 6}};
  CHECK(cublasScnrm2(blas, 2, z.data(), 1, &norm));
  show("nrm2", norm);

  const DeviceArray<cuDoubleComplex> u{{1, 1}, {2, -3}}, v{{0, 2}, {1, 1}};
  cuDoubleComplex d, minus{-1, 0};
  double real = 0;
  CHECK(cublasZaxpy(blas, 2, &minus, u.data(), 1, v.data(), 1));
  CHECK(cublasZdotc(blas, 2, u.data(), 1, v.data(), 1, &d));
  CHECK(cublasDzasum(blas, 2, v.data(), 1, &real));
  show("double", d.x, d.y, real);
}

}  // namespace complex_vectors

/* Prints:
axpy: -3+2i 8+7i 0+2i
scal, every second: -4-6i 8+7i -4+0i
scal by a real number: -2-3i 4+3.5i -2+0i
swap, x: -2+0i 4+3.5i -2-3i
copy: -2+0i 0+1i 3-4i
dotu: 15+3i
dotc: -9+5i
asum, amax: 11 2
amin: 1
nrm2: 9
double: -14 7 7
*/

// Functions whose types are known at run time only.
namespace types_at_run_time {

PART(types_at_run_time) {
  const Blas blas;
  const DeviceArray<float> x{1, 2, 3}, y{4, 5, 6};
  const DeviceArray<double> u{3, 4}, v{1, -1};
  float f = 2;
  double d = -1;
  CHECK(cublasScalEx(blas, 3, &f, CUDA_R_32F, x.data(), CUDA_R_32F, 1, CUDA_R_32F));
  CHECK(cublasAxpyEx(blas, 3, &f, CUDA_R_32F, x.data(), CUDA_R_32F, 1, y.data(), CUDA_R_32F, 1,
                     CUDA_R_32F));
  show("float", y.host());
  CHECK(cublasDotEx(blas, 3, x.data(), CUDA_R_32F, 1, y.data(), CUDA_R_32F, 1, &f, CUDA_R_32F,
                    CUDA_R_32F));
  show("dot", f);
  CHECK(cublasNrm2Ex(blas, 2, u.data(), CUDA_R_64F, 1, &d, CUDA_R_64F, CUDA_R_64F));
  show("nrm2", d);
  CHECK(cublasDotcEx(blas, 2, u.data(), CUDA_R_64F, 1, v.data(), CUDA_R_64F, 1, &d, CUDA_R_64F,
                     CUDA_R_64F));
  show("dotc", d);
  const DeviceArray<half> h{__float2half(1), __float2half(2), __float2half(4)};
  f = 0.5f;
  CHECK(cublasScalEx(blas, 3, &f, CUDA_R_32F, h.data(), CUDA_R_16F, 1, CUDA_R_32F));
  half sum;
  CHECK(cublasDotEx(blas, 3, h.data(), CUDA_R_16F, 1, h.data(), CUDA_R_16F, 1, &sum, CUDA_R_16F,
                    CUDA_R_32F));
  show("halves", __half2float(h.host()[2]), __half2float(sum));
  const cublasStatus_t mixed = cublasDotEx(blas, 3, x.data(), CUDA_R_32F, 1, u.data(), CUDA_R_64F,
                                           1, &f, CUDA_R_32F, CUDA_R_32F);
  show("mixed", cublasGetStatusName(mixed));
  const float c = 0.6f, s = 0.8f;
  const DeviceArray<float> a{10, 0}, b{0, 5};
  CHECK(cublasSrot(blas, 2, a.data(), 1, b.data(), 1, &c, &s));
  show("rot, x", a);
  show("rot, y", b);
}

}  // namespace types_at_run_time

/* Prints:
float: 8 13 18
dot: 176
nrm2: 5
dotc: -1
halves: 2 5.25
mixed: CUBLAS_STATUS_NOT_SUPPORTED
rot, x: 6 4
rot, y: -8 3
*/

// Matrices of which a triangle is stored. What lies in the other one is not read.
namespace triangles {

constexpr float kUnread = 1e30f;

PART(triangles) {
  const Blas blas;
  const auto lower = CUBLAS_FILL_MODE_LOWER, upper = CUBLAS_FILL_MODE_UPPER;
  const auto unit = CUBLAS_DIAG_UNIT, full = CUBLAS_DIAG_NON_UNIT;
  const float one = 1, two = 2, zero = 0;
  // Column by column; as a symmetric matrix {1 2 3, 2 4 5, 3 5 8}.
  const std::vector<float> l{1, 2, 3, kUnread, 4, 5, kUnread, kUnread, 8};
  const std::vector<float> u{1, kUnread, kUnread, 2, 4, kUnread, 3, 5, 8};
  const DeviceArray<float> down(l), up(u), packed{1, 2, 3, 4, 5, 8};
  const DeviceArray<float> x{1, -1, 2}, y{1, 1, 1};
  CHECK(cublasSsymv(blas, lower, 3, &one, down.data(), 3, x.data(), 1, &two, y.data(), 1));
  show("symv", y);
  CHECK(cublasSsymv(blas, upper, 3, &one, up.data(), 3, x.data(), 1, &zero, y.data(), 1));
  show("symv, upper", y);
  CHECK(cublasSspmv(blas, lower, 3, &one, packed.data(), x.data(), 1, &zero, y.data(), 1));
  show("spmv", y);
  // {1 2 0, 2 4 5, 0 5 8}: the diagonal, and the one below it.
  const DeviceArray<float> band{1, 2, 4, 5, 8, kUnread};
  CHECK(cublasSsbmv(blas, lower, 3, 1, &one, band.data(), 2, x.data(), 1, &zero, y.data(), 1));
  show("sbmv", y);

  CHECK(cublasStrmv(blas, lower, CUBLAS_OP_N, full, 3, down.data(), 3, x.data(), 1));
  show("trmv", x);
  CHECK(cublasStrsv(blas, lower, CUBLAS_OP_N, full, 3, down.data(), 3, x.data(), 1));
  show("trsv", x);
  CHECK(cublasStrmv(blas, upper, CUBLAS_OP_T, unit, 3, up.data(), 3, x.data(), 1));
  show("trmv, transposed, unit", x);
  CHECK(cublasStpsv(blas, lower, CUBLAS_OP_N, unit, 3, packed.data(), x.data(), 1));
  show("tpsv", x);
  CHECK(cublasStbmv(blas, lower, CUBLAS_OP_T, full, 3, 1, band.data(), 2, x.data(), 1));
  show("tbmv", x);
  CHECK(cublasStbsv(blas, lower, CUBLAS_OP_T, full, 3, 1, band.data(), 2, x.data(), 1));
  show("tbsv", x);

  CHECK(cublasSsyr(blas, lower, 3, &two, x.data(), 1, down.data(), 3));
  show("syr", down.host()[0], down.host()[1], down.host()[8], down.host()[3]);
  const DeviceArray<float> w{1, 0, 1};
  CHECK(cublasSsyr2(blas, upper, 3, &one, x.data(), 1, w.data(), 1, up.data(), 3));
  show("syr2", up.host()[0], up.host()[3], up.host()[8], up.host()[1]);
  CHECK(cublasSspr(blas, lower, 3, &one, x.data(), 1, packed.data()));
  show("spr", packed);
  CHECK(cublasSspr2(blas, lower, 3, &one, x.data(), 1, w.data(), 1, packed.data()));
  show("spr2", packed);
}

}  // namespace triangles

/* Prints:
symv: 7 10 16
symv, upper: 5 8 14
spmv: 5 8 14
sbmv: -1 8 11
trmv: 1 -2 14
trsv: 1 -1 2
trmv, transposed, unit: 1 1 0
tpsv: 1 -1 2
tbmv: -1 6 16
tbsv: 1 -1 2
syr: 3 0 16 1e+30
syr2: 3 1 12 1e+30
spr: 2 1 5 5 3 12
spr2: 4 0 8 5 2 16
*/
