// SPDX-License-Identifier: MIT
// The result of 4 x 3 and 3 x 5 is allocated as 4 x 3. Link with -lcublas.
#include "../check_cublas.h"

int main() {
  const Blas blas;
  constexpr int m = 4, n = 5, k = 3;
  const DeviceArray<float> a(numbers<float>(m * k, 1)), b(numbers<float>(k * n, 2)), c(m * k);
  const float one = 1, zero = 0;
  CHECK(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one,  // fault
                    a.data(), m, b.data(), k, &zero, c.data(), m));
  CHECK(cudaDeviceSynchronize());
}

/* Reports:
kind = "out_of_bounds_global"
kernel = "cublasSgemm"
line = 10
mentions = ["writes C, 5 columns of 4 elements of 4 bytes", "32 bytes past the end of allocation 3 (48 bytes"]
mode = "any"
*/
