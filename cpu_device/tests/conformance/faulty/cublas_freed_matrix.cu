// SPDX-License-Identifier: MIT
// The weights are freed before they are used. Link with -lcublas.
#include "../check_cublas.h"

int main() {
  const Blas blas;
  const DeviceArray<float> x(numbers<float>(4, 1)), y(4);
  float* weights = nullptr;
  CHECK(cudaMalloc(&weights, 16 * sizeof(float)));
  CHECK(cudaMemset(weights, 0, 16 * sizeof(float)));
  CHECK(cudaFree(weights));
  const float one = 1, zero = 0;
  CHECK(cublasSgemv(blas, CUBLAS_OP_N, 4, 4, &one, weights, 4, x.data(), 1, &zero,  // fault
                    y.data(), 1));
  CHECK(cudaDeviceSynchronize());
}

/* Reports:
kind = "use_after_free"
kernel = "cublasSgemv"
line = 13
mentions = ["reads A", "which has been freed"]
mode = "any"
*/
