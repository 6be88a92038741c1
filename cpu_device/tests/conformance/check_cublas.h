// SPDX-License-Identifier: MIT
// What the programs that call cuBLAS share besides check.h.
#pragma once

#include <cublas_v2.h>

#include "check.h"

inline void check(cublasStatus_t status, const char* call, const char* file, int line) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::fflush(stdout);
  std::fprintf(stderr, "%s:%d: %s in: %s\n", file, line, cublasGetStatusName(status), call);
  std::exit(1);
}

// Owns a handle.
class Blas {
 public:
  Blas() { CHECK(cublasCreate(&handle_)); }
  ~Blas() { cublasDestroy(handle_); }
  Blas(const Blas&) = delete;
  Blas& operator=(const Blas&) = delete;
  operator cublasHandle_t() const { return handle_; }

 private:
  cublasHandle_t handle_ = nullptr;
};

// Whole numbers from -4 to 4, other ones for each seed: products of them are exact.
template <class T>
std::vector<T> numbers(std::size_t count, unsigned seed) {
  std::vector<T> values;
  for (std::size_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    values.push_back(static_cast<T>(static_cast<float>(static_cast<int>(seed >> 16) % 9 - 4)));
  }
  return values;
}

// "name: 1 2 3" of an array on the device. Which of two zeros a sum gives is nobody's promise.
template <class T>
void show(const char* name, const DeviceArray<T>& array) {
  std::vector<double> values;
  for (const T& value : array.host()) {
    values.push_back(static_cast<double>(static_cast<float>(value)) + 0.0);
  }
  show(name, values);
}
