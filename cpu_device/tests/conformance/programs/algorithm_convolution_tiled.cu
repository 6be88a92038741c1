// SPDX-License-Identifier: MIT
// A 5 x 5 convolution through a shared tile with its halo: a 20 x 20 input tile for 16 x 16
// outputs.
#include "../check.h"

constexpr int kOutTile = 16, kSize = 5, kHalo = kSize / 2, kInTile = kOutTile + kSize - 1;
__constant__ float filter[kSize * kSize];

__global__ void convolve_kernel(const float* x, float* y, int height, int width) {
  __shared__ float tile[kInTile][kInTile];
  const int first_row = blockIdx.y * kOutTile - kHalo, first_column = blockIdx.x * kOutTile - kHalo;
  const int row = first_row + threadIdx.y, column = first_column + threadIdx.x;
  const bool inside = row >= 0 && row < height && column >= 0 && column < width;
  tile[threadIdx.y][threadIdx.x] = inside ? x[row * width + column] : 0.0f;
  __syncthreads();
  if (threadIdx.x >= kOutTile || threadIdx.y >= kOutTile) return;
  const int out_row = row + kHalo, out_column = column + kHalo;
  if (out_row >= height || out_column >= width) return;
  float sum = 0;
  for (int p = 0; p < kSize; ++p) {
    for (int q = 0; q < kSize; ++q)
      sum += tile[threadIdx.y + p][threadIdx.x + q] * filter[p * kSize + q];
  }
  y[out_row * width + out_column] = sum;
}

int main() {
  const int height = 37, width = 50;
  std::vector<float> x(height * width), w(kSize * kSize);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>(i * 37 % 23) - 11;
  for (size_t i = 0; i < w.size(); ++i) w[i] = static_cast<int>(i) - 12;
  DeviceArray<float> d_x(x), d_y(x.size());
  CHECK(cudaMemcpyToSymbol(filter, w.data(), sizeof(filter)));
  const dim3 grid((width + kOutTile - 1) / kOutTile, (height + kOutTile - 1) / kOutTile);
  convolve_kernel<<<grid, dim3(kInTile, kInTile)>>>(d_x.data(), d_y.data(), height, width);
  CHECK_LAUNCH();
  const std::vector<float> y = d_y.host();
  int wrong = 0;
  double checksum = 0;
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      float sum = 0;
      for (int k = 0; k < 25; ++k) {
        const int h = row + k / 5 - kHalo, v = column + k % 5 - kHalo;
        if (h >= 0 && h < height && v >= 0 && v < width) sum += x[h * width + v] * w[k];
      }
      wrong += y[row * width + column] != sum;
      checksum += static_cast<double>(sum) * ((row + column) % 10);
    }
  }
  show("wrong, corner, last, checksum", wrong, y[0], y.back(), checksum);
}

/* Prints:
wrong, corner, last, checksum: 0 -64 116 4078
*/
