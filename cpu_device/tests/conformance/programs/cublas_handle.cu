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
