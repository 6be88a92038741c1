// SPDX-License-Identifier: MIT
// Rows and columns are swapped in the index: far past the end of a plane that is no square.
#include "../check.h"

constexpr int kHeight = 40, kWidth = 200;

__global__ void fill_kernel(float* plane) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= kHeight || column >= kWidth) return;
  plane[column * kWidth + row] = 1.0f;  // fault: should be row * kWidth + column
}

int main() {
  float* d_plane = nullptr;
  CHECK(cudaMalloc(&d_plane, kHeight * kWidth * sizeof(float)));
  fill_kernel<<<dim3(13, 3), dim3(16, 16)>>>(d_plane);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_plane));
}

/* Reports:
kind = "out_of_bounds_global"
kernel = "fill_kernel"
line = 11
mentions = ["32000 bytes"]
mode = "any"
*/
