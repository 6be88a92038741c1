// SPDX-License-Identifier: MIT
// A matrix is given to the library where the host has it. Link with -lcublas.
#include "../check_cublas.h"

int main() {
  const Blas blas;
  const std::vector<float> a = numbers<float>(16, 1);
  const DeviceArray<float> b(numbers<float>(16, 2)), c(16);
  const float one = 1, zero = 0;
  CHECK(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one,  // fault
                    a.data(), 4, b.data(), 4, &zero, c.data(), 4));
  CHECK(cudaDeviceSynchronize());
}

/* Reports:
kind = "host_pointer_in_kernel"
kernel = "cublasSgemm"
line = 10
mentions = ["argument A of cublasSgemm"]
mode = "any"
*/
