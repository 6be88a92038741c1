// SPDX-License-Identifier: MIT
// An array in device memory that frees itself. Move-only.
#pragma once

#include <cstdint>
#include <utility>

#include "cuda_check.cuh"

template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  // Filled with zeros.
  explicit DeviceArray(int64_t count) : count_(count) {
    const size_t bytes = sizeof(T) * static_cast<size_t>(count > 0 ? count : 1);
    check(cudaMalloc(reinterpret_cast<void**>(&data_), bytes));
    check(cudaMemset(data_, 0, bytes));
  }
  DeviceArray(DeviceArray&& other) noexcept { swap(other); }
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    swap(other);
    return *this;
  }
  ~DeviceArray() { cudaFree(data_); }

  T* data() const { return data_; }
  int64_t count() const { return count_; }

 private:
  void swap(DeviceArray& other) {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
  }

  T* data_ = nullptr;
  int64_t count_ = 0;
};
