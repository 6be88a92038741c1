// SPDX-License-Identifier: MIT
// alpha is in device memory, and the pointer mode was left at host. Link with -lcublas.
#include "../check_cublas.h"

int main() {
  const Blas blas;
  const DeviceArray<float> alpha{2}, x{1, 2, 3, 4};
  CHECK(cublasSscal(blas, 4, alpha.data(), x.data(), 1));  // fault
  CHECK(cudaDeviceSynchronize());
}

/* Reports:
kind = "device_pointer_on_host"
kernel = "cublasSscal"
line = 8
mentions = ["argument alpha of cublasSscal", "pointer mode is host"]
mode = "any"
*/
