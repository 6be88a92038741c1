// SPDX-License-Identifier: MIT
// Transposition through a padded tile in shared memory, for a matrix that fills no tile.
#include "../check.h"

constexpr int kTile = 32, kRows = 8;

__global__ void transpose_kernel(const float* in, float* out, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
  int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) {
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  }
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) {
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
  }
}

int main() {
  const int width = 70, height = 45;
  std::vector<float> values(width * height);
  for (size_t i = 0; i < values.size(); ++i) values[i] = i;
  DeviceArray<float> in(values), out(values.size());
  const dim3 grid((width + kTile - 1) / kTile, (height + kTile - 1) / kTile);
  transpose_kernel<<<grid, dim3(kTile, kRows)>>>(in.data(), out.data(), width, height);
  CHECK_LAUNCH();
  const std::vector<float> got = out.host();
  int wrong = 0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) wrong += got[x * height + y] != values[y * width + x];
  }
  show("wrong", wrong);
  show("second row", got[height], got[height + 1], got[2 * height - 1]);
}

/* Prints:
wrong: 0
second row: 1 71 3081
*/
