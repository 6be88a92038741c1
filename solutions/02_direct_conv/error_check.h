// SPDX-License-Identifier: MIT
// Task 02.1: the error check of every CUDA call of this submission.
#pragma once

#include <cuda_runtime.h>

// CUDA_CHECK(cudaMalloc(...));  and, after a launch,  CUDA_CHECK(cudaGetLastError());
// BEGIN SOLUTION(02.1)
//> // TODO(02.1): return the error of `call` from the function that it stands in, unless it is
//> // cudaSuccess. Evaluate `call` once.
//> #define CUDA_CHECK(call) (void)(call)
// It returns the error instead of printing it or exiting, so the caller decides; what must be freed
// before a return belongs to an object with a destructor.
#define CUDA_CHECK(call)                                          \
  do {                                                            \
    const cudaError_t cuda_check_error = (call);                  \
    if (cuda_check_error != cudaSuccess) return cuda_check_error; \
  } while (false)
// END SOLUTION
