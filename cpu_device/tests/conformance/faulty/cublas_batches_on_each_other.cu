// SPDX-License-Identifier: MIT
// All products of the batch are meant to be added to one matrix, which races. Link with -lcublas.
#include "../check_cublas.h"

int main() {
  const Blas blas;
  const DeviceArray<float> a(numbers<float>(12, 1)), b(numbers<float>(12, 2)), sum(4);
  const float one = 1;
  CHECK(cublasSgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 2, &one,  // fault
                                  a.data(), 2, 4, b.data(), 2, 4, &one, sum.data(), 2, 0, 3));
  CHECK(cudaDeviceSynchronize());
}

/* Reports:
kind = "race_across_blocks"
kernel = "cublasSgemmStridedBatched"
line = 9
mentions = ["through its argument C more than once"]
mode = "check"
*/
