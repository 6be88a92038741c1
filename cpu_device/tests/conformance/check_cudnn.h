// SPDX-License-Identifier: MIT
// What the programs that call cuDNN share besides check.h.
#pragma once

#include <cudnn.h>

#include <cmath>

#include "check.h"

inline void check(cudnnStatus_t status, const char* call, const char* file, int line) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  std::fflush(stdout);
  std::fprintf(stderr, "%s:%d: %s in: %s\n", file, line, cudnnGetErrorString(status), call);
  std::exit(1);
}

// Owns a handle or a descriptor.
template <class Handle, cudnnStatus_t (*create)(Handle*), cudnnStatus_t (*destroy)(Handle)>
class Owner {
 public:
  Owner() { CHECK(create(&handle_)); }
  ~Owner() { destroy(handle_); }
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;
  operator Handle() const { return handle_; }

 private:
  Handle handle_ = nullptr;
};

using Dnn = Owner<cudnnHandle_t, cudnnCreate, cudnnDestroy>;
using Pooling =
    Owner<cudnnPoolingDescriptor_t, cudnnCreatePoolingDescriptor, cudnnDestroyPoolingDescriptor>;
using Activation = Owner<cudnnActivationDescriptor_t, cudnnCreateActivationDescriptor,
                         cudnnDestroyActivationDescriptor>;

struct Tensor
    : Owner<cudnnTensorDescriptor_t, cudnnCreateTensorDescriptor, cudnnDestroyTensorDescriptor> {
  Tensor() = default;
  Tensor(int n, int c, int h, int w, cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW) {
    CHECK(cudnnSetTensor4dDescriptor(*this, format, CUDNN_DATA_FLOAT, n, c, h, w));
  }
};

struct Filter
    : Owner<cudnnFilterDescriptor_t, cudnnCreateFilterDescriptor, cudnnDestroyFilterDescriptor> {
  Filter() = default;
  Filter(int k, int c, int h, int w, cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW) {
    CHECK(cudnnSetFilter4dDescriptor(*this, CUDNN_DATA_FLOAT, format, k, c, h, w));
  }
};

struct Convolution : Owner<cudnnConvolutionDescriptor_t, cudnnCreateConvolutionDescriptor,
                           cudnnDestroyConvolutionDescriptor> {
  Convolution() = default;
  Convolution(int pad_h, int pad_w, int stride_h, int stride_w, int dilation_h = 1,
              int dilation_w = 1, cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION) {
    CHECK(cudnnSetConvolution2dDescriptor(*this, pad_h, pad_w, stride_h, stride_w, dilation_h,
                                          dilation_w, mode, CUDNN_DATA_FLOAT));
    // Whole numbers come out exactly in it.
    CHECK(cudnnSetConvolutionMathType(*this, CUDNN_FMA_MATH));
  }
};

// Whole numbers from -4 to 4, other ones for each seed: products of them are exact.
inline std::vector<float> numbers(std::size_t count, unsigned seed) {
  std::vector<float> values;
  for (std::size_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    values.push_back(static_cast<float>(static_cast<int>(seed >> 16) % 9 - 4));
  }
  return values;
}

// "name: 1 2 3" of an array on the device, to three places. Which of two zeros it is, nobody says.
inline void show(const char* name, const DeviceArray<float>& array) {
  std::vector<double> values;
  for (const float value : array.host()) {
    values.push_back(std::round(static_cast<double>(value) * 1000) / 1000 + 0.0);
  }
  show(name, values);
}

// "name: BAD_PARAM"
inline void show_status(const char* name, cudnnStatus_t status) {
  std::printf("%s: %s\n", name, cudnnGetErrorString(status) + 13);  // behind CUDNN_STATUS_
}
