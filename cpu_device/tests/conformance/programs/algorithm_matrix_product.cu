// SPDX-License-Identifier: MIT
// A tiled matrix product with sizes that are no multiple of the tile, exact in float.
#include "../check.h"

template <int kTile>
__global__ void multiply_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < k; first += kTile) {
    const int ka = first + threadIdx.x, kb = first + threadIdx.y;
    tile_a[threadIdx.y][threadIdx.x] = row < m && ka < k ? a[row * k + ka] : 0.0f;
    tile_b[threadIdx.y][threadIdx.x] = kb < k && column < n ? b[kb * n + column] : 0.0f;
    __syncthreads();  // the tiles are complete
#pragma unroll
    for (int i = 0; i < kTile; ++i) sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
    __syncthreads();  // nobody still reads them
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

template <int kTile>
void run(int m, int n, int k) {
  std::vector<float> a(m * k), b(k * n);
  for (int i = 0; i < m * k; ++i) a[i] = i % 13 - 6;
  for (int i = 0; i < k * n; ++i) b[i] = i % 7 - 3;
  DeviceArray<float> d_a(a), d_b(b), d_c(m * n);
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  multiply_kernel<kTile><<<grid, dim3(kTile, kTile)>>>(d_a.data(), d_b.data(), d_c.data(), m, n, k);
  CHECK_LAUNCH();
  const std::vector<float> c = d_c.host();
  int wrong = 0;
  for (int row = 0; row < m; ++row) {
    for (int column = 0; column < n; ++column) {
      float sum = 0;
      for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
      wrong += c[row * n + column] != sum;
    }
  }
  show("wrong, first, last", wrong, c[0], c[m * n - 1]);
}

int main() {
  run<16>(33, 50, 47);
  run<8>(8, 8, 8);
  run<32>(5, 70, 1);
}

/* Prints:
wrong, first, last: 0 1 -57
wrong, first, last: 0 25 13
wrong, first, last: 0 18 -6
*/
