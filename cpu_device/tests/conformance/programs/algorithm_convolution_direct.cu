// SPDX-License-Identifier: MIT
// A direct 5 x 5 convolution of a batch, several channels, filters in constant memory, zero
// padding.
#include "../check.h"

constexpr int kBatch = 2, kIn = 3, kOut = 2, kHeight = 19, kWidth = 23, kSize = 5, kPad = 2;
__constant__ float filters[kOut][kIn][kSize][kSize];

__global__ void convolve_kernel(const float* __restrict__ x, float* __restrict__ y) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x,
            row = blockIdx.y * blockDim.y + threadIdx.y;
  const int n = blockIdx.z / kOut, m = blockIdx.z % kOut;
  if (row >= kHeight || column >= kWidth) return;
  float sum = 0;
  for (int c = 0; c < kIn; ++c) {
    for (int p = 0; p < kSize; ++p) {
      for (int q = 0; q < kSize; ++q) {
        const int h = row + p - kPad, w = column + q - kPad;
        if (h < 0 || h >= kHeight || w < 0 || w >= kWidth) continue;
        sum += x[((n * kIn + c) * kHeight + h) * kWidth + w] * filters[m][c][p][q];
      }
    }
  }
  y[((n * kOut + m) * kHeight + row) * kWidth + column] = sum;
}

int main() {
  const int plane = kHeight * kWidth;
  std::vector<float> x(kBatch * kIn * plane), w(kOut * kIn * kSize * kSize);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>(i * 31 % 19) - 9;
  for (size_t i = 0; i < w.size(); ++i) w[i] = static_cast<int>(i * 17 % 11) - 5;
  DeviceArray<float> d_x(x), d_y(kBatch * kOut * plane);
  CHECK(cudaMemcpyToSymbol(filters, w.data(), w.size() * sizeof(float)));
  const dim3 block(8, 8), grid((kWidth + 7) / 8, (kHeight + 7) / 8, kBatch * kOut);
  convolve_kernel<<<grid, block>>>(d_x.data(), d_y.data());
  CHECK_LAUNCH();
  const std::vector<float> y = d_y.host();
  int wrong = 0;
  double checksum = 0;
  for (int i = 0; i < kBatch * kOut * plane; ++i) {
    const int n = i / plane / kOut, m = i / plane % kOut, row = i % plane / kWidth,
              column = i % kWidth;
    float sum = 0;
    for (int k = 0; k < kIn * kSize * kSize; ++k) {
      const int c = k / 25, h = row + k / 5 % 5 - kPad, v = column + k % 5 - kPad;
      if (h < 0 || h >= kHeight || v < 0 || v >= kWidth) continue;
      sum += x[((n * kIn + c) * kHeight + h) * kWidth + v] * w[m * 75 + k];
    }
    wrong += y[i] != sum;
    checksum += static_cast<double>(y[i]) * (i % 10);
  }
  show("wrong, corner, last, checksum", wrong, y[0], y.back(), checksum);
}

/* Prints:
wrong, corner, last, checksum: 0 -10 16 -108
*/
