// SPDX-License-Identifier: MIT
// The workloads as CUDA, for the CPU device (and for any GPU: it is ordinary CUDA).
#include "workload.h"

using namespace workload;

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

// One thread an output: no barrier, no shared memory.
__global__ void conv_kernel(const float* x, const float* w, float* y, int edge) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= edge || column >= edge) return;
  const int width = edge + kFilter - 1;
  float sum = 0;
  for (int p = 0; p < kFilter; ++p) {
    for (int q = 0; q < kFilter; ++q) {
      sum += x[(row + p) * width + column + q] * w[p * kFilter + q];
    }
  }
  y[row * edge + column] = sum;
}

// As little work a thread as there is: what a thread itself costs.
__global__ void add_kernel(const float* a, const float* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] + b[i];
}

__global__ void matmul_kernel(const float* a, const float* b, float* c, int edge) {
  __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  float sum = 0;
  for (int tile = 0; tile < edge; tile += kTile) {
    a_tile[threadIdx.y][threadIdx.x] = a[row * edge + tile + threadIdx.x];
    b_tile[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * edge + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
    __syncthreads();
  }
  c[row * edge + column] = sum;
}

__global__ void barriers_kernel(const float* x, float* y) {
  for (int i = 0; i < kBarriersPerThread; ++i) __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];
}

// Hands each value round the block: the least work between two barriers that cannot be left out.
__global__ void ring_kernel(const float* x, float* y) {
  __shared__ float cell[kBlock];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = x[i];
  for (int turn = 0; turn < kTurns; ++turn) {
    cell[threadIdx.x] = value;
    __syncthreads();
    value = cell[(threadIdx.x + 1) % kBlock] + 0.25f;
    __syncthreads();
  }
  y[i] = value;
}

// The mean of each warp, again and again.
__global__ void shuffles_kernel(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = x[i];
  for (int round = 0; round < kButterflies; ++round) {
    for (int distance = 16; distance > 0; distance /= 2) {
      value += __shfl_xor_sync(0xffffffffu, value, distance);
    }
    value *= 1.0f / 32;
  }
  y[i] = value;
}

__global__ void empty_kernel() {}

// An array on the device, filled with inputs.
struct DeviceArray {
  DeviceArray(size_t length, unsigned seed) : count(length) {
    CHECK(cudaMalloc(&data, count * sizeof(float)));
    CHECK(
        cudaMemcpy(data, input(count, seed).data(), count * sizeof(float), cudaMemcpyHostToDevice));
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data); }

  std::vector<float> host() const {
    std::vector<float> values(count);
    CHECK(cudaMemcpy(values.data(), data, count * sizeof(float), cudaMemcpyDeviceToHost));
    return values;
  }

  float* data = nullptr;
  size_t count;
};

template <class Once>
void measure_kernel(const Request& asked, const DeviceArray& outputs, const Once& once) {
  const auto checked = [&] {
    once();
    CHECK(cudaGetLastError());
  };
  measure(
      asked, checked, [] { CHECK(cudaDeviceSynchronize()); }, [&] { return outputs.host(); });
}

int main(int argc, char** argv) {
  const Request asked = request(argc, argv);
  const size_t size = asked.size;
  const dim3 square(kTile, kTile);
  const unsigned tiles = (asked.size + kTile - 1) / kTile;
  if (asked.is("conv")) {
    const DeviceArray x((size + kFilter - 1) * (size + kFilter - 1), 1), w(kFilter * kFilter, 2);
    const DeviceArray y(size * size, 0);
    measure_kernel(asked, y, [&] {
      conv_kernel<<<dim3(tiles, tiles), square>>>(x.data, w.data, y.data, asked.size);
    });
  } else if (asked.is("add")) {
    const DeviceArray a(size * kBlock, 1), b(size * kBlock, 2), c(size * kBlock, 0);
    measure_kernel(asked, c, [&] { add_kernel<<<size, kBlock>>>(a.data, b.data, c.data); });
  } else if (asked.is("matmul")) {
    const DeviceArray a(size * size, 1), b(size * size, 2), c(size * size, 0);
    measure_kernel(asked, c, [&] {
      matmul_kernel<<<dim3(tiles, tiles), square>>>(a.data, b.data, c.data, asked.size);
    });
  } else if (asked.is("barriers")) {
    const DeviceArray x(size * kBlock, 1), y(size * kBlock, 0);
    measure_kernel(asked, y, [&] { barriers_kernel<<<size, kBlock>>>(x.data, y.data); });
  } else if (asked.is("ring")) {
    const DeviceArray x(size * kBlock, 1), y(size * kBlock, 0);
    measure_kernel(asked, y, [&] { ring_kernel<<<size, kBlock>>>(x.data, y.data); });
  } else if (asked.is("shuffles")) {
    const DeviceArray x(size * kBlock, 1), y(size * kBlock, 0);
    measure_kernel(asked, y, [&] { shuffles_kernel<<<size, kBlock>>>(x.data, y.data); });
  } else if (asked.is("launches")) {
    const DeviceArray none(1, 0);
    measure_kernel(asked, none, [&] { empty_kernel<<<size, kBlock>>>(); });
  } else if (asked.is("launches_waited_for")) {
    const DeviceArray none(1, 0);
    measure_kernel(asked, none, [&] {
      empty_kernel<<<size, kBlock>>>();
      CHECK(cudaDeviceSynchronize());
    });
  } else {
    unknown(asked);
  }
}
