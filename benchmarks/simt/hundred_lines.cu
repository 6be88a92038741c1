// SPDX-License-Identifier: MIT
// A student's program of about 100 lines, to time compiling it: a blur in shared memory.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

constexpr int kRadius = 2;
constexpr int kTile = 16;
constexpr int kWithHalo = kTile + 2 * kRadius;

__constant__ float weights[2 * kRadius + 1];

__device__ int clamped(int at, int count) {
  return at < 0 ? 0 : at >= count ? count - 1 : at;
}

__global__ void blur(const float* in, float* out, int height, int width) {
  __shared__ float tile[kWithHalo][kWithHalo];
  const int row0 = blockIdx.y * kTile, column0 = blockIdx.x * kTile;
  for (int y = threadIdx.y; y < kWithHalo; y += blockDim.y) {
    for (int x = threadIdx.x; x < kWithHalo; x += blockDim.x) {
      const int row = clamped(row0 + y - kRadius, height);
      const int column = clamped(column0 + x - kRadius, width);
      tile[y][x] = in[row * width + column];
    }
  }
  __syncthreads();
  const int row = row0 + threadIdx.y, column = column0 + threadIdx.x;
  if (row >= height || column >= width) return;
  float sum = 0;
  for (int p = 0; p <= 2 * kRadius; ++p) {
    for (int q = 0; q <= 2 * kRadius; ++q) {
      sum += weights[p] * weights[q] * tile[threadIdx.y + p][threadIdx.x + q];
    }
  }
  out[row * width + column] = sum;
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
  float *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, bytes));
  CHECK(cudaMalloc(&d_out, bytes));
  CHECK(cudaMemcpy(d_in, image.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(weights, filter.data(), filter.size() * sizeof(float)));
  const dim3 block(kTile, kTile);
  const dim3 grid((width + kTile - 1) / kTile, (height + kTile - 1) / kTile);
  blur<<<grid, block>>>(d_in, d_out, height, width);
  CHECK(cudaGetLastError());
  std::vector<float> result(image.size());
  CHECK(cudaMemcpy(result.data(), d_out, bytes, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      const float want = expected(image, filter, row, column, height, width);
      const float got = result[row * width + column];
      if (!(std::fabs(got - want) <= 1e-5f)) ++wrong;
    }
  }
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
  std::printf("%d of %d x %d pixels are wrong\n", wrong, height, width);
  return wrong == 0 ? 0 : 1;
}
