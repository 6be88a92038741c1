// SPDX-License-Identifier: MIT
// Handles, their settings, and the words for statuses. Link with -lcublas.
#include <cstring>

#include "../check_cublas.h"

int main() {
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
