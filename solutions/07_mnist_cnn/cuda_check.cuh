// SPDX-License-Identifier: MIT
// Inside the network errors are exceptions; guarded() turns them into return values.
#pragma once

#include <cuda_runtime.h>

#include <exception>
#include <stdexcept>
#include <string>

struct CudaError : std::runtime_error {
  CudaError(cudaError_t error, const std::string& what) : std::runtime_error(what), code(error) {}
  cudaError_t code;
};

// check(cudaMalloc(&data, bytes)) throws where the call fails, and says which call it was and
// where:
//   dense.cu:57: cudaMalloc(&data, bytes): out of memory (cudaErrorMemoryAllocation)
#define check(...) check_call((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

inline std::string failed_call(const char* call, const char* file, int line) {
  const std::string path = file;
  return path.substr(path.rfind('/') + 1) + ":" + std::to_string(line) + ": " + call;
}

inline void check_call(cudaError_t error, const char* call, const char* file, int line) {
  if (error == cudaSuccess) return;
  throw CudaError(error, failed_call(call, file, line) + ": " + cudaGetErrorString(error) + " (" +
                             cudaGetErrorName(error) + ")");
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
