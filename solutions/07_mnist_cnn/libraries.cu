// SPDX-License-Identifier: MIT
// SOLUTION ONLY
#include "library_layers.cuh"

Libraries::Libraries() {
  check(cublasCreate(&blas_));
  check(cudnnCreate(&dnn_));
}

Libraries::~Libraries() {
  if (blas_) cublasDestroy(blas_);
  if (dnn_) cudnnDestroy(dnn_);
}

cublasHandle_t Libraries::blas(cudaStream_t stream) const {
  check(cublasSetStream(blas_, stream));
  return blas_;
}

cudnnHandle_t Libraries::dnn(cudaStream_t stream) const {
  check(cudnnSetStream(dnn_, stream));
  return dnn_;
}
