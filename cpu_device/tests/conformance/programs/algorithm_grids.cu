// SPDX-License-Identifier: MIT
// Algorithms on matrices, images and grids.
#include "../check.h"
#include "../parts.h"

// A direct 5 x 5 convolution of a batch, several channels, filters in constant memory, zero
// padding.
namespace convolution_direct {

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

PART(convolution_direct) {
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

}  // namespace convolution_direct

/* Prints:
wrong, corner, last, checksum: 0 -10 16 -108
*/

// A 5 x 5 convolution through a shared tile with its halo: a 20 x 20 input tile for 16 x 16
// outputs.
namespace convolution_tiled {

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

PART(convolution_tiled) {
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

}  // namespace convolution_tiled

/* Prints:
wrong, corner, last, checksum: 0 -64 116 4078
*/

// Conway's game of life on a torus, printed.
namespace game_of_life {

constexpr int kHeight = 8, kWidth = 12;

__global__ void life_kernel(const char* now, char* next) {
  const int x = threadIdx.x, y = threadIdx.y;
  int neighbours = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx == 0 && dy == 0) continue;
      neighbours += now[(y + dy + kHeight) % kHeight * kWidth + (x + dx + kWidth) % kWidth];
    }
  }
  next[y * kWidth + x] = neighbours == 3 || (neighbours == 2 && now[y * kWidth + x]);
}

PART(game_of_life) {
  std::vector<char> board(kHeight * kWidth);
  for (int place : {1, kWidth + 2, 2 * kWidth, 2 * kWidth + 1, 2 * kWidth + 2}) board[place] = 1;
  DeviceArray<char> a(board), b(board.size());
  for (int step = 0; step < 24; step += 2) {
    life_kernel<<<1, dim3(kWidth, kHeight)>>>(a.data(), b.data());
    life_kernel<<<1, dim3(kWidth, kHeight)>>>(b.data(), a.data());
  }
  CHECK_LAUNCH();
  board = a.host();
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) std::putchar(board[y * kWidth + x] ? '#' : '.');
    std::putchar('\n');
  }
}

}  // namespace game_of_life

/* Prints:
......###...
............
............
............
............
............
.......#....
........#...
*/

// Convolution by unrolling the input to columns and one matrix product, against the direct sum.
namespace im2col_product {

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

PART(im2col_product) {
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

}  // namespace im2col_product

/* Prints:
wrong, first, last: 0 -1 10
*/

// A tiled matrix product with sizes that are no multiple of the tile, exact in float.
namespace matrix_product {

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

PART(matrix_product) {
  run<16>(33, 50, 47);
  run<8>(8, 8, 8);
  run<32>(5, 70, 1);
}

}  // namespace matrix_product

/* Prints:
wrong, first, last: 0 1 -57
wrong, first, last: 0 25 13
wrong, first, last: 0 18 -6
*/

// Max pooling over a batch with three-dimensional blocks, and the places of the maxima.
namespace max_pooling {

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

PART(max_pooling) {
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

}  // namespace max_pooling

/* Prints:
wrong, sum, first, last: 0 37283.5 14 614
*/

// Heat on a line, many steps between two buffers, whole numbers only; and steps inside one block.
namespace stencil {

__global__ void step_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int left = i > 0 ? in[i - 1] : 0, right = i + 1 < n ? in[i + 1] : 0;
  out[i] = (left + 2 * in[i] + right) / 4;
}

__global__ void steps_kernel(int* data, int n, int steps) {
  extern __shared__ int cells[];
  const int i = threadIdx.x;
  if (i < n) cells[i] = data[i];
  for (int step = 0; step < steps; ++step) {
    __syncthreads();
    int next = 0;
    if (i < n)
      next = ((i > 0 ? cells[i - 1] : 0) + 2 * cells[i] + (i + 1 < n ? cells[i + 1] : 0)) / 4;
    __syncthreads();
    if (i < n) cells[i] = next;
  }
  if (i < n) data[i] = cells[i];
}

PART(stencil) {
  const int n = 200, steps = 40;
  std::vector<int> host(n);
  host[50] = 1 << 24;
  host[199] = 1 << 20;
  DeviceArray<int> a(host), b(n), c(host);
  int *from = a.data(), *to = b.data();
  for (int step = 0; step < steps; ++step, std::swap(from, to)) {
    step_kernel<<<4, 64>>>(from, to, n);
  }
  steps_kernel<<<1, 256, n * sizeof(int)>>>(c.data(), n, steps);
  CHECK_LAUNCH();
  for (int step = 0; step < steps; ++step) {
    const std::vector<int> old = host;
    for (int i = 0; i < n; ++i) {
      host[i] = ((i > 0 ? old[i - 1] : 0) + 2 * old[i] + (i + 1 < n ? old[i + 1] : 0)) / 4;
    }
  }
  expect("two buffers", a.host() == host);
  expect("one block", c.host() == host);
  show("some", host[50], host[60], host[199]);
}

}  // namespace stencil

/* Prints:
two buffers: ok
one block: ok
some: 1491952 123105 8769
*/

// Transposition through a padded tile in shared memory, for a matrix that fills no tile.
namespace transpose {

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

PART(transpose) {
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

}  // namespace transpose

/* Prints:
wrong: 0
second row: 1 71 3081
*/
