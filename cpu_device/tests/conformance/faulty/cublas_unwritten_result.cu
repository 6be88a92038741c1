// SPDX-License-Identifier: MIT
// beta is 1, but nothing has been written to what is added to. Link with -lcublas.
#include "../check_cublas.h"

int main() {
  const Blas blas;
  const DeviceArray<float> a(numbers<float>(4, 1)), b(numbers<float>(4, 2));
  float* sum = nullptr;
  CHECK(cudaMalloc(&sum, 4 * sizeof(float)));
  const float one = 1;
  CHECK(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one,  // fault
                    a.data(), 2, b.data(), 2, &one, sum, 2));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(sum));
}

/* Reports:
kind = "uninitialised_global"
kernel = "cublasSgemm"
line = 11
mentions = ["through its argument C"]
mode = "check"
*/
