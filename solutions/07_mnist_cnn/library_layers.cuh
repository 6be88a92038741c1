// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// The second backend: products by cuBLAS, convolutions by cuDNN; all else are the own kernels.
#pragma once

#include <cublas_v2.h>
#include <cudnn.h>

#include "layer.cuh"

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
                                          bool last);
std::unique_ptr<Layer> make_library_conv(const LayerSpec& spec, const Libraries& libraries,
                                         int max_batch);
