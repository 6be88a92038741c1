// SPDX-License-Identifier: MIT
// Max pooling over a batch with three-dimensional blocks, and the places of the maxima.
#include "../check.h"

__global__ void pool_kernel(const float* x, float* y, int* where, int height, int width,
                            int planes) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int plane = blockIdx.z * blockDim.z + threadIdx.z;
  const int out_height = height / 2, out_width = width / 2;
  if (column >= out_width || row >= out_height || plane >= planes) return;
  float best = -1e30f;
  int place = -1;
  for (int k = 0; k < 4; ++k) {
    const int i = (plane * height + 2 * row + k / 2) * width + 2 * column + k % 2;
    if (x[i] > best) best = x[i], place = i;
  }
  const int o = (plane * out_height + row) * out_width + column;
  y[o] = best;
  where[o] = place;
}

int main() {
  const int planes = 5, height = 9, width = 14, outputs = planes * (height / 2) * (width / 2);
  std::vector<float> x(planes * height * width);
  for (size_t i = 0; i < x.size(); ++i) x[i] = (i * 7919 % 1009) * 0.5f - 100.0f;
  DeviceArray<float> d_x(x), y(outputs);
  DeviceArray<int> where(outputs);
  pool_kernel<<<dim3(2, 2, 3), dim3(4, 4, 2)>>>(d_x.data(), y.data(), where.data(), height, width,
                                                planes);
  CHECK_LAUNCH();
  const std::vector<float> maxima = y.host();
  const std::vector<int> places = where.host();
  int wrong = 0;
  double sum = 0;
  for (int o = 0; o < outputs; ++o) {
    wrong += x[places[o]] != maxima[o];
    sum += maxima[o];
  }
  show("wrong, sum, first, last", wrong, sum, places[0], places[outputs - 1]);
}

/* Prints:
wrong, sum, first, last: 0 37283.5 14 614
*/
