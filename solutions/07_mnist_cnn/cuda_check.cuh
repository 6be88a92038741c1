// SPDX-License-Identifier: MIT
// Inside the network errors are exceptions; guarded() turns them into what its functions return.
#pragma once

#include <cuda_runtime.h>

#include <exception>
#include <stdexcept>
#include <string>

struct CudaError : std::runtime_error {
  CudaError(cudaError_t error, const std::string& what) : std::runtime_error(what), code(error) {}
  cudaError_t code;
};

inline void check(cudaError_t error) {
  if (error != cudaSuccess) throw CudaError(error, cudaGetErrorString(error));
}

inline std::string& last_problem() {
  static std::string problem;
  return problem;
}

template <class Body>
cudaError_t guarded(Body body) {
  last_problem().clear();
  try {
    body();
    return cudaSuccess;
  } catch (const CudaError& error) {
    last_problem() = error.what();
    return error.code;
  } catch (const std::bad_alloc&) {
    last_problem() = "The host has too little memory.";
    return cudaErrorMemoryAllocation;
  } catch (const std::exception& error) {
    last_problem() = error.what();
    return cudaErrorInvalidValue;
  }
}
