// SPDX-License-Identifier: MIT
// The unrolled matrix has one column more than the kernel before wrote. Link with -lcublas.
#include "../check_cublas.h"

__global__ void fill_kernel(float* x) {
  x[threadIdx.x] = 1;
}

int main() {
  const Blas blas;
  const DeviceArray<float> w(numbers<float>(8, 1)), y(10);
  float* unrolled = nullptr;
  CHECK(cudaMalloc(&unrolled, 4 * 5 * sizeof(float)));
  fill_kernel<<<1, 4 * 4>>>(unrolled);
  CHECK(cudaGetLastError());
  const float one = 1, zero = 0;
  CHECK(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 5, 4, &one,  // fault
                    w.data(), 2, unrolled, 4, &zero, y.data(), 2));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(unrolled));
}

/* Reports:
kind = "uninitialised_global"
kernel = "cublasSgemm"
line = 17
mentions = ["element 16 (byte 64) of allocation 3 (80 bytes", "through its argument B"]
mode = "check"
*/
