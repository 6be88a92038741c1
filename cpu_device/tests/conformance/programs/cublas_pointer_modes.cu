// SPDX-License-Identifier: MIT
// Factors and results in device memory: a factor is read when the operation runs, so a kernel
// before it may compute it, and the host need not wait. Link with -lcublas.
#include "../check_cublas.h"

__global__ void reciprocal_kernel(const float* x, float* y) {
  *y = 1 / *x;
}

int main() {
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
