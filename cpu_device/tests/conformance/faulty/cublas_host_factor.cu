// SPDX-License-Identifier: MIT
// The pointer mode is device, and alpha is a variable of the host. Link with -lcublas.
#include "../check_cublas.h"

int main() {
  const Blas blas;
  const DeviceArray<float> x{1, 2, 3, 4};
  const float alpha = 2;
  CHECK(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
  CHECK(cublasSscal(blas, 4, &alpha, x.data(), 1));  // fault
  CHECK(cudaDeviceSynchronize());
}

/* Reports:
kind = "host_pointer_in_kernel"
kernel = "cublasSscal"
line = 10
mentions = ["argument alpha of cublasSscal", "pointer mode is device"]
mode = "any"
*/
