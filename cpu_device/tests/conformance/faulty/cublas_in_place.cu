// SPDX-License-Identifier: MIT
// The result takes the place of a factor that is still being read. Link with -lcublas.
#include "../check_cublas.h"

int main() {
  const Blas blas;
  const DeviceArray<float> a(numbers<float>(16, 1)), x(numbers<float>(8, 2));
  const float one = 1, zero = 0;
  CHECK(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 4, 2, 4, &one,  // fault
                    a.data(), 4, x.data(), 4, &zero, x.data(), 4));
  CHECK(cudaDeviceSynchronize());
}

/* Reports:
kind = "race_across_blocks"
kernel = "cublasSgemm"
line = 9
mentions = ["writes element 0 (byte 0) of allocation 2 (32 bytes", "through its argument C and reads it through B"]
mode = "check"
*/
