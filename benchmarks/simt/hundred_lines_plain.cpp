// SPDX-License-Identifier: MIT
// The host code of hundred_lines.cu as plain C++: kernels are functions, launches are loops.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int kRadius = 2;
constexpr int kTile = 16;
constexpr int kWithHalo = kTile + 2 * kRadius;

static float weights[2 * kRadius + 1];

static int clamped(int at, int count) {
  return at < 0 ? 0 : at >= count ? count - 1 : at;
}

static void blur_block(const float* in, float* out, int height, int width, int row0, int column0) {
  float tile[kWithHalo][kWithHalo];
  for (int y = 0; y < kWithHalo; ++y) {
    for (int x = 0; x < kWithHalo; ++x) {
      const int row = clamped(row0 + y - kRadius, height);
      const int column = clamped(column0 + x - kRadius, width);
      tile[y][x] = in[row * width + column];
    }
  }
  for (int row = row0; row < row0 + kTile && row < height; ++row) {
    for (int column = column0; column < column0 + kTile && column < width; ++column) {
      float sum = 0;
      for (int p = 0; p <= 2 * kRadius; ++p) {
        for (int q = 0; q <= 2 * kRadius; ++q) {
          sum += weights[p] * weights[q] * tile[row - row0 + p][column - column0 + q];
        }
      }
      out[row * width + column] = sum;
    }
  }
}

static std::vector<float> random_image(int height, int width) {
  std::vector<float> image(static_cast<size_t>(height) * width);
  for (float& pixel : image) pixel = static_cast<float>(std::rand()) / RAND_MAX;
  return image;
}

static float expected(const std::vector<float>& image, const std::vector<float>& filter, int row,
                      int column, int height, int width) {
  float sum = 0;
  for (int p = -kRadius; p <= kRadius; ++p) {
    for (int q = -kRadius; q <= kRadius; ++q) {
      const int y = clamped(row + p, height), x = clamped(column + q, width);
      sum += filter[p + kRadius] * filter[q + kRadius] * image[y * width + x];
    }
  }
  return sum;
}

int main(int argc, char** argv) {
  const int height = argc > 1 ? std::atoi(argv[1]) : 61;
  const int width = argc > 2 ? std::atoi(argv[2]) : 83;
  const std::vector<float> filter = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};
  const std::vector<float> image = random_image(height, width);
  const size_t bytes = image.size() * sizeof(float);
  std::vector<float> in(image), out(image.size());
  std::memcpy(in.data(), image.data(), bytes);
  std::memcpy(weights, filter.data(), filter.size() * sizeof(float));
  for (int row0 = 0; row0 < height; row0 += kTile) {
    for (int column0 = 0; column0 < width; column0 += kTile) {
      blur_block(in.data(), out.data(), height, width, row0, column0);
    }
  }
  std::vector<float> result(image.size());
  std::memcpy(result.data(), out.data(), bytes);
  int wrong = 0;
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      const float want = expected(image, filter, row, column, height, width);
      const float got = result[row * width + column];
      if (!(std::fabs(got - want) <= 1e-5f)) ++wrong;
    }
  }
  std::printf("%d of %d x %d pixels are wrong\n", wrong, height, width);
  return wrong == 0 ? 0 : 1;
}
