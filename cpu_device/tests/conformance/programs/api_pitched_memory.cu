// SPDX-License-Identifier: MIT
// cudaMallocPitch, cudaMemset2D and cudaMemcpy2D: rows of a pitch, windows into a plane.
#include "../check.h"

__global__ void fill_kernel(char* base, size_t pitch, int width, int height) {
  const int x = threadIdx.x, y = threadIdx.y;
  if (x >= width || y >= height) return;
  reinterpret_cast<float*>(base + y * pitch)[x] = 10.0f * y + x;
}

int main() {
  const int width = 5, height = 4;
  char* d_plane = nullptr;
  size_t pitch = 0;
  CHECK(cudaMallocPitch(&d_plane, &pitch, width * sizeof(float), height));
  expect("pitch", pitch >= width * sizeof(float) && pitch % 32 == 0);
  CHECK(cudaMemset2D(d_plane, pitch, 0, width * sizeof(float), height));
  fill_kernel<<<1, dim3(8, 8)>>>(d_plane, pitch, width, height);
  CHECK(cudaGetLastError());
  std::vector<float> host(width * height);
  CHECK(cudaMemcpy2D(host.data(), width * sizeof(float), d_plane, pitch, width * sizeof(float),
                     height, cudaMemcpyDeviceToHost));
  show("plane", host);
  // A window of 2 x 3 from row 1, column 2 goes to row 0, column 1 of a plane of 4 columns.
  std::vector<float> window(4 * 3, -1.0f);
  CHECK(cudaMemcpy2D(&window[1], 4 * sizeof(float), d_plane + pitch + 2 * sizeof(float), pitch,
                     2 * sizeof(float), 3, cudaMemcpyDeviceToHost));
  show("window", window);
  CHECK(cudaMemset2D(d_plane + pitch, pitch, 0, 2 * sizeof(float), 2));
  CHECK(cudaMemcpy2DAsync(host.data(), width * sizeof(float), d_plane, pitch, width * sizeof(float),
                          height, cudaMemcpyDefault, 0));
  CHECK(cudaStreamSynchronize(0));
  show("cleared", host);
  CHECK(cudaMemcpy2D(d_plane, pitch, window.data(), 4 * sizeof(float), 4 * sizeof(float), 2,
                     cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy2D(host.data(), width * sizeof(float), d_plane, pitch, width * sizeof(float),
                     height, cudaMemcpyDeviceToHost));
  show("written", host);
  std::printf(
      "pitch too small: %s\n",
      cudaGetErrorName(cudaMemcpy2D(host.data(), 4, d_plane, pitch, 8, 2, cudaMemcpyDeviceToHost)));
  CHECK(cudaFree(d_plane));
}

/* Prints:
pitch: ok
plane: 0 1 2 3 4 10 11 12 13 14 20 21 22 23 24 30 31 32 33 34
window: -1 12 13 -1 -1 22 23 -1 -1 32 33 -1
cleared: 0 1 2 3 4 0 0 12 13 14 0 0 22 23 24 30 31 32 33 34
written: -1 12 13 -1 4 -1 22 23 -1 14 0 0 22 23 24 30 31 32 33 34
pitch too small: cudaErrorInvalidPitchValue
*/
