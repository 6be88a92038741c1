// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// The second backend: dense layers by cuBLAS; convolutions, pooling and ReLU by cuDNN. Everything
// else uses the network's own kernels.
#pragma once

#include <cublas_v2.h>
#include <cudnn.h>

#include "layer.cuh"

// The factors of "write" (1, 0) and of "add to what is there" (1, 1).
inline constexpr float kOne = 1.0f, kZero = 0.0f;

// What check() calls for a status of these.
inline void check_call(cublasStatus_t status, const char* call, const char* file, int line) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw CudaError(cudaErrorUnknown,
                  failed_call(call, file, line) + ": cuBLAS: " + cublasGetStatusString(status));
}

inline void check_call(cudnnStatus_t status, const char* call, const char* file, int line) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  throw CudaError(cudaErrorUnknown,
                  failed_call(call, file, line) + ": cuDNN: " + cudnnGetErrorString(status));
}

// Owns cuDNN's description of n tensors of one shape, NCHW, float32.
class Batch {
 public:
  Batch() { check(cudnnCreateTensorDescriptor(&descriptor_)); }
  Batch(int n, const Shape3& shape) : Batch() { set(n, shape); }
  ~Batch() { cudnnDestroyTensorDescriptor(descriptor_); }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  void set(int n, const Shape3& shape) {
    if (n == n_) return;
    check(cudnnSetTensor4dDescriptor(descriptor_, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, shape.c,
                                     shape.h, shape.w));
    n_ = n;
  }
  cudnnTensorDescriptor_t get() const { return descriptor_; }

 private:
  cudnnTensorDescriptor_t descriptor_ = nullptr;
  int n_ = 0;
};

// The handles of one network.
class Libraries {
 public:
  Libraries();
  ~Libraries();
  Libraries(const Libraries&) = delete;
  Libraries& operator=(const Libraries&) = delete;

  // For work on a stream. Throw CudaError.
  cublasHandle_t blas(cudaStream_t stream) const;
  cudnnHandle_t dnn(cudaStream_t stream) const;

 private:
  cublasHandle_t blas_ = nullptr;
  cudnnHandle_t dnn_ = nullptr;
};

std::unique_ptr<Layer> make_library_dense(const LayerSpec& spec, const Libraries& libraries,
                                          int max_batch);
std::unique_ptr<Layer> make_library_conv(const LayerSpec& spec, const Libraries& libraries,
                                         int max_batch);
std::unique_ptr<Layer> make_library_pool(const LayerSpec& spec, const Libraries& libraries);
std::unique_ptr<Layer> make_library_relu(const LayerSpec& spec, const Libraries& libraries);
