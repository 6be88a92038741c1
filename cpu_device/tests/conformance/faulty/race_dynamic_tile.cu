// SPDX-License-Identifier: MIT
// A transposition through dynamic shared memory without a barrier.
#include "../check.h"

__global__ void transpose_kernel(const int* in, int* out) {
  extern __shared__ int square[];
  const int x = threadIdx.x, y = threadIdx.y, n = blockDim.x;
  square[y * n + x] = in[y * n + x];   // fault
  out[y * n + x] = square[x * n + y];  // fault
}

int main() {
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, 256 * sizeof(int)));
  CHECK(cudaMalloc(&d_out, 256 * sizeof(int)));
  CHECK(cudaMemset(d_in, 0, 256 * sizeof(int)));
  transpose_kernel<<<1, dim3(16, 16), 256 * sizeof(int)>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "race_shared"
kernel = "transpose_kernel"
lines = [8, 9]
mentions = ["square"]
mode = "check"
*/
