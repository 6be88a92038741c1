// SPDX-License-Identifier: MIT
// What the GPU benchmarks of the stages share: arrays in device memory, numbers to fill them with,
// and how far a result is from another.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                      \
  do {                                                                   \
    if (const cudaError_t error = (call)) {                              \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, \
                   cudaGetErrorString(error));                           \
      std::exit(1);                                                      \
    }                                                                    \
  } while (0)

namespace {

cudaStream_t g_stream;

// Device memory, freed at the end of its scope.
struct Array {
  explicit Array(int64_t count) : size(count) {
    CHECK(cudaMalloc(&data, sizeof(float) * std::max<int64_t>(count, 1)));
  }
  ~Array() { cudaFree(data); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  float* data = nullptr;
  int64_t size;
};

// Numbers in (-1, 1), the same on every machine; their absolute values with `positive`.
__global__ void fill_kernel(float* values, int64_t size, unsigned seed, bool positive) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x; i < size; i += step) {
    unsigned bits = unsigned(i) * 2654435761u + seed;
    bits ^= bits >> 15, bits *= 2246822519u, bits ^= bits >> 13;
    const float value = float(int(bits & 0xffff) - 32768) / 32768.0f;
    values[i] = positive ? fabsf(value) : value;
  }
}

void fill(const Array& array, unsigned seed, bool positive) {
  fill_kernel<<<1024, 256, 0, g_stream>>>(array.data, array.size, seed, positive);
  CHECK(cudaGetLastError());
}

// The largest |got - expected| / (bound * magnitude), as the bits of a float; NaN counts as
// infinite.
__global__ void worst_kernel(const float* got, const float* expected, const float* magnitude,
                             int64_t size, float bound, unsigned* worst) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x; i < size; i += step) {
    const float off = fabsf(got[i] - expected[i]);
    const float ratio = off <= 0 ? 0 : off / (bound * magnitude[i]);
    atomicMax(worst, __float_as_uint(ratio == ratio ? ratio : INFINITY));
  }
}

// Both sides may be off by gamma(terms) * magnitude.
float worst_share(const Array& got, const Array& expected, const Array& magnitude, double terms) {
  const Array worst(1);
  CHECK(cudaMemsetAsync(worst.data, 0, sizeof(float), g_stream));
  const double u = std::ldexp(1.0, -24), gamma = terms * u / (1 - terms * u);
  worst_kernel<<<1024, 256, 0, g_stream>>>(got.data, expected.data, magnitude.data, got.size,
                                           float(2 * gamma),
                                           reinterpret_cast<unsigned*>(worst.data));
  float share = 0;
  CHECK(cudaMemcpyAsync(&share, worst.data, sizeof share, cudaMemcpyDeviceToHost, g_stream));
  CHECK(cudaStreamSynchronize(g_stream));
  return share;
}

}  // namespace
