// SPDX-License-Identifier: MIT
// Convolutions by cuDNN on the CPU device and by oneDNN, called directly, in turn. Prints one line
// for each shape, pass and round: its numbers, and microseconds of CPU time a call of each.
//
//   convolutions ROUNDS
#include <cudnn.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "direct.h"

extern "C" void omp_set_num_threads(int threads);

namespace {

constexpr float kOne = 1, kZero = 0;

template <class Work>
double timed_us(const Work& work) {
  const double begin = cpu_time_us();
  work();
  return cpu_time_us() - begin;
}

void check(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "%s failed\n", what);
  std::exit(1);
}
void check(cudnnStatus_t status) {
  check(status == CUDNN_STATUS_SUCCESS, cudnnGetErrorString(status));
}

// One tensor in host memory, for oneDNN, and its copy in device memory.
struct Array {
  std::vector<float> host;
  float* device = nullptr;

  explicit Array(int count) : host(static_cast<size_t>(count)) {
    for (float& value : host) value = static_cast<float>(std::rand() % 9 - 4);
    check(cudaMalloc(&device, bytes()) == cudaSuccess, "cudaMalloc");
    check(cudaMemcpy(device, host.data(), bytes(), cudaMemcpyHostToDevice) == cudaSuccess, "copy");
  }
  ~Array() { cudaFree(device); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  size_t bytes() const { return host.size() * sizeof(float); }
  // The numbers are small and whole, so both are exact.
  void compare() const {
    std::vector<float> there(host.size());
    check(cudaMemcpy(there.data(), device, bytes(), cudaMemcpyDeviceToHost) == cudaSuccess, "copy");
    check(there == host, "the comparison of the results");
  }
};

class Contest {
 public:
  Contest(const Shape& shape, Pass pass)
      : pass_(pass), x_(shape.x()), w_(shape.filter()), y_(shape.y()) {
    check(cudnnCreate(&dnn_));
    check(cudnnCreateTensorDescriptor(&x_desc_));
    check(cudnnCreateTensorDescriptor(&y_desc_));
    check(cudnnCreateFilterDescriptor(&w_desc_));
    check(cudnnCreateConvolutionDescriptor(&conv_));
    check(cudnnSetTensor4dDescriptor(x_desc_, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, shape.n, shape.c,
                                     shape.h, shape.w));
    check(cudnnSetTensor4dDescriptor(y_desc_, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, shape.n, shape.m,
                                     shape.oh(), shape.ow()));
    check(cudnnSetFilter4dDescriptor(w_desc_, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, shape.m, shape.c,
                                     shape.k, shape.k));
    check(cudnnSetConvolution2dDescriptor(conv_, shape.pad, shape.pad, shape.stride, shape.stride,
                                          1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    direct_ = fastest(shape, pass, host());
  }
  ~Contest() {
    cudnnDestroyTensorDescriptor(x_desc_);
    cudnnDestroyTensorDescriptor(y_desc_);
    cudnnDestroyFilterDescriptor(w_desc_);
    cudnnDestroyConvolutionDescriptor(conv_);
    cudnnDestroy(dnn_);
  }

  // The algorithms that need no workspace.
  void ours() {
    if (pass_ == kForward) {
      check(cudnnConvolutionForward(dnn_, &kOne, x_desc_, x_.device, w_desc_, w_.device, conv_,
                                    CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &kZero,
                                    y_desc_, y_.device));
    } else if (pass_ == kData) {
      check(cudnnConvolutionBackwardData(dnn_, &kOne, w_desc_, w_.device, y_desc_, y_.device, conv_,
                                         CUDNN_CONVOLUTION_BWD_DATA_ALGO_0, nullptr, 0, &kZero,
                                         x_desc_, x_.device));
    } else {
      check(cudnnConvolutionBackwardFilter(dnn_, &kOne, x_desc_, x_.device, y_desc_, y_.device,
                                           conv_, CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0, nullptr, 0,
                                           &kZero, w_desc_, w_.device));
    }
  }
  void direct() { direct_->run(host()); }
  void compare() const {
    x_.compare();
    w_.compare();
    y_.compare();
  }

 private:
  Tensors host() { return {x_.host.data(), w_.host.data(), y_.host.data()}; }

  Pass pass_;
  Array x_, w_, y_;
  cudnnHandle_t dnn_ = nullptr;
  cudnnTensorDescriptor_t x_desc_ = nullptr, y_desc_ = nullptr;
  cudnnFilterDescriptor_t w_desc_ = nullptr;
  cudnnConvolutionDescriptor_t conv_ = nullptr;
  std::unique_ptr<Direct> direct_;
};

void wait() {
  check(cudaDeviceSynchronize() == cudaSuccess, "cudaDeviceSynchronize");
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 15;
  omp_set_num_threads(1);
  // Those of the bench of stage 01, then the layers of a small network.
  const Shape shapes[] = {{16, 64, 56, 56, 64, 3, 1, 1}, {16, 4, 32, 32, 16, 3, 1, 1},
                          {128, 1, 28, 28, 32, 5, 0, 1}, {8, 256, 14, 14, 256, 3, 1, 1},
                          {32, 3, 64, 64, 16, 7, 3, 2},  {32, 1, 28, 28, 32, 5, 0, 1},
                          {32, 32, 12, 12, 64, 5, 0, 1}, {4, 4, 32, 32, 16, 3, 0, 1}};
  for (const Shape& s : shapes) {
    for (const Pass pass : {kForward, kData, kFilter}) {
      Contest contest(s, pass);
      contest.ours();
      wait();
      contest.direct();
      contest.compare();
      constexpr double kLeast_us = 8000;
      const double once = timed_us([&] { contest.direct(); });
      const int calls = std::clamp(static_cast<int>(kLeast_us / once), 1, 100);
      for (int round = 0; round < rounds; ++round) {
        double direct = 0, ours = 0;
        const auto measure_direct = [&] {
          direct = timed_us([&] {
            for (int i = 0; i < calls; ++i) contest.direct();
          });
        };
        const auto measure_ours = [&] {
          ours = timed_us([&] {
            for (int i = 0; i < calls; ++i) contest.ours();
            wait();
          });
        };
        if (round % 2 == 0) measure_direct();
        measure_ours();
        if (round % 2 != 0) measure_direct();
        std::printf("%d %d %d %d %d %d %d %d %d %.3f %.3f\n", s.n, s.c, s.h, s.w, s.m, s.k, s.pad,
                    s.stride, pass, direct / calls, ours / calls);
      }
    }
  }
}
