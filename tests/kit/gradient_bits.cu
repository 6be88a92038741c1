// SPDX-License-Identifier: MIT
// Prints the bits of the filter gradients of stage 05, as one number for each function: what other
// orders of the blocks must not change, and for the one with atomics does.
#include <cstdio>
#include <cstring>
#include <vector>

#include "backward.h"

namespace {

std::vector<float> numbers(int64_t count, unsigned seed) {
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = float(int(seed >> 8) - (1 << 23)) / float(1 << 23);
  }
  return values;
}

float* on_device(const std::vector<float>& values) {
  float* data = nullptr;
  cudaMalloc(&data, sizeof(float) * values.size());
  cudaMemcpy(data, values.data(), sizeof(float) * values.size(), cudaMemcpyHostToDevice);
  return data;
}

void print_bits(const char* name, const float* d_dw, int64_t count) {
  std::vector<float> dw(static_cast<size_t>(count));
  cudaMemcpy(dw.data(), d_dw, sizeof(float) * dw.size(), cudaMemcpyDeviceToHost);
  unsigned long long hash = 1469598103934665603ull;  // FNV-1a
  for (const float value : dw) {
    unsigned bits;
    std::memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * 1099511628211ull;
  }
  std::printf("%s %016llx\n", name, hash);
}

}  // namespace

int main() {
  Conv2dShape s;
  s.n = 19, s.c = 2, s.h = 15, s.w = 16, s.m = 3, s.kh = s.kw = 3, s.pad_h = s.pad_w = 1;
  const float* x = on_device(numbers(s.x_size(), 1));
  const float* dy = on_device(numbers(s.y_size(), 2));
  float* dw = on_device(numbers(s.w_size(), 3));
  constexpr size_t bytes = 1 << 20;  // more than any of them asks for
  void* workspace = nullptr;
  cudaMalloc(&workspace, bytes);
  cudaError_t error = conv2d_wgrad(x, dy, dw, &s, 0, workspace, bytes, nullptr);
  print_bits("conv2d_wgrad", dw, s.w_size());
  if (!error) error = conv2d_wgrad_gemm(x, dy, dw, &s, 0, workspace, bytes, nullptr);
  print_bits("conv2d_wgrad_gemm", dw, s.w_size());
  s.kw = 2, s.pad_w = 0;  // no longer what its fast kernel is for; dy is large enough
  if (!error) error = conv2d_wgrad_gemm(x, dy, dw, &s, 0, workspace, bytes, nullptr);
  print_bits("conv2d_wgrad_gemm_any", dw, s.w_size());
  if (!error) error = conv2d_wgrad_scatter(x, dy, dw, &s, 0, nullptr);
  print_bits("conv2d_wgrad_scatter", dw, s.w_size());
  std::printf("%s\n", cudaGetErrorName(error));
}
