// SPDX-License-Identifier: MIT
// Threads fill a tile of two dimensions through its first row, with an index that goes on into the
// next rows. nvcc takes the tile for one piece of memory.
#include "../check.h"

constexpr int kRows = 14, kColumns = 38, kThreads = 64;

__global__ void sums_of_rows(const int* x, int* y) {
  __shared__ int tile[kRows][kColumns];
  for (int e = threadIdx.x; e < kRows * kColumns; e += kThreads) tile[0][e] = x[e];
  __syncthreads();
  const int row = threadIdx.x;
  if (row >= kRows) return;
  int sum = 0;
  for (int column = 0; column < kColumns; ++column) sum += tile[row][column];
  y[row] = sum;
}

int main() {
  std::vector<int> x(kRows * kColumns);
  for (int i = 0; i < kRows * kColumns; ++i) x[i] = i % 7;
  DeviceArray<int> d_x(x), d_y(size_t{kRows});
  sums_of_rows<<<1, kThreads>>>(d_x.data(), d_y.data());
  show("sums", d_y.host());
}

/* Prints:
sums: 108 117 112 114 116 111 120 108 117 112 114 116 111 120
*/
