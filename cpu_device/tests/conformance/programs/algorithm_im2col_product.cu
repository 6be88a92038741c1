// SPDX-License-Identifier: MIT
// Convolution by unrolling the input to columns and one matrix product, against the direct sum.
#include "../check.h"

constexpr int kC = 3, kH = 9, kW = 11, kM = 4, kK = 3, kOh = kH - kK + 1, kOw = kW - kK + 1;

__global__ void unroll_kernel(const float* x, float* columns) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= kC * kOh * kOw) return;
  const int c = t / (kOh * kOw), place = t % (kOh * kOw), row = place / kOw, column = place % kOw;
  for (int p = 0; p < kK; ++p) {
    for (int q = 0; q < kK; ++q) {
      columns[((c * kK + p) * kK + q) * kOh * kOw + place] =
          x[(c * kH + row + p) * kW + column + q];
    }
  }
}

__global__ void product_kernel(const float* w, const float* columns, float* y, int inner, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x,
            row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= kM || column >= n) return;
  float sum = 0;
  for (int i = 0; i < inner; ++i) sum += w[row * inner + i] * columns[i * n + column];
  y[row * n + column] = sum;
}

int main() {
  const int inner = kC * kK * kK, n = kOh * kOw;
  std::vector<float> x(kC * kH * kW), w(kM * inner);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>(i % 9) - 4;
  for (size_t i = 0; i < w.size(); ++i) w[i] = static_cast<int>(i % 5) - 2;
  DeviceArray<float> d_x(x), d_w(w), columns(inner * n), d_y(kM * n);
  unroll_kernel<<<(kC * n + 63) / 64, 64>>>(d_x.data(), columns.data());
  product_kernel<<<dim3((n + 15) / 16, (kM + 3) / 4), dim3(16, 4)>>>(d_w.data(), columns.data(),
                                                                     d_y.data(), inner, n);
  CHECK_LAUNCH();
  const std::vector<float> y = d_y.host();
  int wrong = 0;
  for (int i = 0; i < kM * n; ++i) {
    const int m = i / n, row = i % n / kOw, column = i % kOw;
    float sum = 0;
    for (int k = 0; k < inner; ++k) {
      sum += w[m * inner + k] * x[(k / 9 * kH + row + k / 3 % 3) * kW + column + k % 3];
    }
    wrong += y[i] != sum;
  }
  show("wrong, first, last", wrong, y[0], y.back());
}

/* Prints:
wrong, first, last: 0 -1 10
*/
