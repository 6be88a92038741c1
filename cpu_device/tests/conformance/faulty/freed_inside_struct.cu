// SPDX-License-Identifier: MIT
// A pointer inside a structure outlives its memory; another allocation was made in between.
#include "../check.h"

struct Matrix {
  int rows, columns;
  float* elements;
};

__global__ void clear_kernel(Matrix matrix) {
  matrix.elements[threadIdx.x] = 0;  // fault: the elements were freed
}

int main() {
  Matrix matrix = {4, 8, nullptr};
  float* d_other = nullptr;
  CHECK(cudaMalloc(&matrix.elements, 2000));
  clear_kernel<<<1, 32>>>(matrix);
  CHECK_LAUNCH();
  CHECK(cudaFree(matrix.elements));
  CHECK(cudaMalloc(&d_other, 2000));
  clear_kernel<<<1, 32>>>(matrix);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_other));
}

/* Reports:
kind = "use_after_free"
kernel = "clear_kernel"
line = 11
mentions = ["2000 bytes"]
mode = "check"
*/
