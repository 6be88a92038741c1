// SPDX-License-Identifier: MIT
// Tensors for the tests, in pinned memory: the device uses it, and the host sees what happened.
#pragma once

#include <cuda_fp16.h>
#include <cudnn.h>

#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "catch.h"

namespace convkit::simt::dnn::test {

using Sizes = std::vector<int>;

inline Sizes packed(const Sizes& sizes, bool channels_last = false, int gap = 0) {
  Sizes strides(sizes.size());
  int distance = 1;
  if (channels_last) {
    strides[1] = 1;
    distance = sizes[1] + gap;
  }
  for (size_t i = sizes.size(); i-- > 0;) {
    if (i == 1 && channels_last) continue;
    strides[i] = distance;
    distance = distance * sizes[i] + (channels_last ? 0 : gap);
  }
  return strides;
}

// Calls visit(position) for each.
inline void for_all(const Sizes& sizes, const std::function<void(const Sizes&)>& visit) {
  Sizes position(sizes.size());
  for (;;) {
    visit(position);
    size_t i = sizes.size();
    for (; i > 0; --i) {
      if (++position[i - 1] < sizes[i - 1]) break;
      position[i - 1] = 0;
    }
    if (i == 0) return;
  }
}

class Tensor {
 public:
  Tensor(Sizes sizes, Sizes strides, cudnnDataType_t type = CUDNN_DATA_FLOAT)
      : sizes_(std::move(sizes)), strides_(std::move(strides)), type_(type) {
    size_t last = 0;
    for (size_t i = 0; i < sizes_.size(); ++i) {
      last += static_cast<size_t>(sizes_[i] - 1) * static_cast<size_t>(strides_[i]);
    }
    elements_ = last + 1;
    REQUIRE(cudaMallocHost(&memory_, elements_ * (type == CUDNN_DATA_HALF ? 2 : 4)) == cudaSuccess);
    REQUIRE(cudnnCreateTensorDescriptor(&descriptor_) == CUDNN_STATUS_SUCCESS);
    REQUIRE(cudnnSetTensorNdDescriptor(descriptor_, type, static_cast<int>(sizes_.size()),
                                       sizes_.data(), strides_.data()) == CUDNN_STATUS_SUCCESS);
    for (size_t i = 0; i < elements_; ++i) put_at(i, kUntouched);
  }
  ~Tensor() {
    cudnnDestroyTensorDescriptor(descriptor_);
    cudaFreeHost(memory_);
  }
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;

  void fill(unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> between(-1, 1);
    for_all(sizes_, [&](const Sizes& at) { put_at(place(at), between(generator)); });
  }

  double operator()(const Sizes& at) const { return value_at(place(at)); }
  std::vector<double> all() const {
    std::vector<double> values;
    for_all(sizes_, [&](const Sizes& at) { values.push_back((*this)(at)); });
    return values;
  }
  // Whether what lies between the elements is as it was.
  bool gaps_are_untouched() const {
    std::vector<bool> is_element(elements_);
    for_all(sizes_, [&](const Sizes& at) { is_element[place(at)] = true; });
    for (size_t i = 0; i < elements_; ++i) {
      if (!is_element[i] && value_at(i) != double{kUntouched}) return false;
    }
    return true;
  }

  const Sizes& sizes() const { return sizes_; }
  cudnnTensorDescriptor_t descriptor() const { return descriptor_; }
  cudnnDataType_t type() const { return type_; }
  void* data() const { return memory_; }

 private:
  static constexpr float kUntouched = 77;

  size_t place(const Sizes& at) const {
    size_t result = 0;
    for (size_t i = 0; i < at.size(); ++i) {
      result += static_cast<size_t>(at[i]) * static_cast<size_t>(strides_[i]);
    }
    return result;
  }
  void put_at(size_t i, float value) {
    if (type_ == CUDNN_DATA_HALF) {
      static_cast<__half*>(memory_)[i] = __half(value);
    } else {
      static_cast<float*>(memory_)[i] = value;
    }
  }
  double value_at(size_t i) const {
    if (type_ == CUDNN_DATA_HALF) {
      return static_cast<double>(static_cast<float>(static_cast<const __half*>(memory_)[i]));
    }
    return double{static_cast<const float*>(memory_)[i]};
  }

  Sizes sizes_, strides_;
  cudnnDataType_t type_;
  size_t elements_ = 0;
  void* memory_ = nullptr;
  cudnnTensorDescriptor_t descriptor_ = nullptr;
};

struct Handle {
  cudnnHandle_t handle = nullptr;
  Handle() { REQUIRE(cudnnCreate(&handle) == CUDNN_STATUS_SUCCESS); }
  ~Handle() { cudnnDestroy(handle); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator cudnnHandle_t() const { return handle; }
};

inline void wait() {
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
}

// Each value is as far from what is expected as its size and its type allow, and no further.
inline void check_close(const Tensor& result, const std::vector<double>& expected,
                        const std::vector<double>& magnitude) {
  constexpr double kFloat = 1e-5, kHalf = 1e-3;
  const std::vector<double> got = result.all();
  REQUIRE(got.size() == expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    const double allowed =
        kFloat * magnitude[i] + (result.type() == CUDNN_DATA_HALF ? kHalf * magnitude[i] : 0);
    INFO("element " << i << ": " << got[i] << " for " << expected[i]);
    REQUIRE(std::abs(got[i] - expected[i]) <= allowed + 1e-7);
  }
  CHECK(result.gaps_are_untouched());
}

}  // namespace convkit::simt::dnn::test
