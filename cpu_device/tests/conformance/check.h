// SPDX-License-Identifier: MIT
// What the programs of this suite share: checked calls, an array on the device, printing of lists.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <vector>

// Variadic, so that a call may hold template arguments with commas.
#define CHECK(...) check((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
#define CHECK_LAUNCH()              \
  do {                              \
    CHECK(cudaGetLastError());      \
    CHECK(cudaDeviceSynchronize()); \
  } while (0)

inline void check(cudaError_t error, const char* call, const char* file, int line) {
  if (error == cudaSuccess) return;
  std::fflush(stdout);
  std::fprintf(stderr, "%s:%d: %s: %s in: %s\n", file, line, cudaGetErrorName(error),
               cudaGetErrorString(error), call);
  std::exit(1);
}

// Owns an array in device memory.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t size) : size_(size) {
    CHECK(cudaMalloc(&data_, size_ * sizeof(T)));
    CHECK(cudaMemset(data_, 0, size_ * sizeof(T)));
  }
  explicit DeviceArray(const std::vector<T>& values) : size_(values.size()) {
    CHECK(cudaMalloc(&data_, size_ * sizeof(T)));
    CHECK(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  DeviceArray(std::initializer_list<T> values) : DeviceArray(std::vector<T>(values)) {}
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() const { return data_; }
  // A copy in host memory; waits for the legacy stream and those that follow it.
  std::vector<T> host() const {
    std::vector<T> values(size_);
    CHECK(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

inline void print(int value) {
  std::printf(" %d", value);
}
inline void print(unsigned value) {
  std::printf(" %u", value);
}
inline void print(long value) {
  std::printf(" %ld", value);
}
inline void print(unsigned long value) {
  std::printf(" %lu", value);
}
inline void print(long long value) {
  std::printf(" %lld", value);
}
inline void print(unsigned long long value) {
  std::printf(" %llu", value);
}
inline void print(double value) {
  std::printf(" %g", value);
}
inline void print(const char* value) {
  std::printf(" %s", value);
}

// "name: 1 2 3"
template <class... T>
void show(const char* name, T... values) {
  std::printf("%s:", name);
  (print(values), ...);
  std::printf("\n");
}
template <class T>
void show(const char* name, const std::vector<T>& values) {
  std::printf("%s:", name);
  for (const T& value : values) print(value);
  std::printf("\n");
}

// "name: ok", or what a failing test shows.
inline void expect(const char* name, bool holds) {
  std::printf("%s: %s\n", name, holds ? "ok" : "WRONG");
}
