// SPDX-License-Identifier: MIT
// The workloads as loops, with the arithmetic of kernels.cu: what stands between two barriers is a
// loop over the threads of a block.
#include "workload.h"

using namespace workload;

namespace {

void conv(const float* x, const float* w, float* y, int edge) {
  const int width = edge + kFilter - 1;
  for (int row = 0; row < edge; ++row) {
    for (int column = 0; column < edge; ++column) {
      float sum = 0;
      for (int p = 0; p < kFilter; ++p) {
        for (int q = 0; q < kFilter; ++q) {
          sum += x[(row + p) * width + column + q] * w[p * kFilter + q];
        }
      }
      y[row * edge + column] = sum;
    }
  }
}

void add(const float* a, const float* b, float* c, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) c[i] = a[i] + b[i];
}

// One block of the tiled matrix product, whose first output is c[row, column].
void matmul_block(const float* a, const float* b, float* c, int edge, int row, int column) {
  float a_tile[kTile][kTile], b_tile[kTile][kTile], sum[kTile][kTile] = {};
  for (int tile = 0; tile < edge; tile += kTile) {
    for (int y = 0; y < kTile; ++y) {
      for (int x = 0; x < kTile; ++x) {
        a_tile[y][x] = a[(row + y) * edge + tile + x];
        b_tile[y][x] = b[(tile + y) * edge + column + x];
      }
    }
    for (int y = 0; y < kTile; ++y) {
      for (int k = 0; k < kTile; ++k) {
        for (int x = 0; x < kTile; ++x) sum[y][x] += a_tile[y][k] * b_tile[k][x];
      }
    }
  }
  for (int y = 0; y < kTile; ++y) {
    for (int x = 0; x < kTile; ++x) c[(row + y) * edge + column + x] = sum[y][x];
  }
}

void matmul(const float* a, const float* b, float* c, int edge) {
  for (int row = 0; row < edge; row += kTile) {
    for (int column = 0; column < edge; column += kTile) matmul_block(a, b, c, edge, row, column);
  }
}

void ring_block(const float* x, float* y) {
  float value[kBlock], cell[kBlock];
  std::memcpy(value, x, sizeof value);
  for (int turn = 0; turn < kTurns; ++turn) {
    for (int t = 0; t < kBlock; ++t) cell[t] = value[t];
    for (int t = 0; t < kBlock; ++t) value[t] = cell[(t + 1) % kBlock] + 0.25f;
  }
  std::memcpy(y, value, sizeof value);
}

void shuffles_warp(const float* x, float* y) {
  constexpr int kLanes = 32;
  float value[kLanes], other[kLanes];
  std::memcpy(value, x, sizeof value);
  for (int round = 0; round < kButterflies; ++round) {
    for (int distance = kLanes / 2; distance > 0; distance /= 2) {
      for (int lane = 0; lane < kLanes; ++lane) other[lane] = value[lane ^ distance];
      for (int lane = 0; lane < kLanes; ++lane) value[lane] += other[lane];
    }
    for (float& mean : value) mean *= 1.0f / kLanes;
  }
  std::memcpy(y, value, sizeof value);
}

template <class Once>
void measure_loops(const Request& asked, const std::vector<float>& outputs, const Once& once) {
  measure(
      asked, once, [] {}, [&] { return outputs; });
}

}  // namespace

int main(int argc, char** argv) {
  const Request asked = request(argc, argv);
  const auto size = static_cast<std::size_t>(asked.size);
  const bool is_square = asked.is("conv") || asked.is("matmul");
  const std::size_t count = is_square ? size * size : size * kBlock;
  const std::size_t with_border = (size + kFilter - 1) * (size + kFilter - 1);
  const std::vector<float> x = input(asked.is("conv") ? with_border : count, 1);
  const std::vector<float> w = input(asked.is("conv") ? kFilter * kFilter : count, 2);
  std::vector<float> y(count);
  if (asked.is("conv")) {
    measure_loops(asked, y, [&] { conv(x.data(), w.data(), y.data(), asked.size); });
  } else if (asked.is("add")) {
    measure_loops(asked, y, [&] { add(x.data(), w.data(), y.data(), count); });
  } else if (asked.is("matmul")) {
    measure_loops(asked, y, [&] { matmul(x.data(), w.data(), y.data(), asked.size); });
  } else if (asked.is("ring")) {
    measure_loops(asked, y, [&] {
      for (std::size_t i = 0; i < count; i += kBlock) ring_block(&x[i], &y[i]);
    });
  } else if (asked.is("shuffles")) {
    measure_loops(asked, y, [&] {
      for (std::size_t i = 0; i < count; i += 32) shuffles_warp(&x[i], &y[i]);
    });
  } else {
    unknown(asked);
  }
}
