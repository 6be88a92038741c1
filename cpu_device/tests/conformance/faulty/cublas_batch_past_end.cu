// SPDX-License-Identifier: MIT
// The distance between the results counts bytes instead of elements. Link with -lcublas.
#include "../check_cublas.h"

int main() {
  const Blas blas;
  const DeviceArray<float> a(numbers<float>(4, 1)), b(numbers<float>(12, 2)), c(12);
  const float one = 1, zero = 0;
  CHECK(cublasSgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one,  // fault
                                  a.data(), 2, 0, b.data(), 2, 4, &zero, c.data(), 2,
                                  4 * sizeof(float), 3));
  CHECK(cudaDeviceSynchronize());
}

/* Reports:
kind = "out_of_bounds_global"
kernel = "cublasSgemmStridedBatched"
line = 9
mentions = ["writes C", "3 times, 16 apart"]
mode = "any"
*/
