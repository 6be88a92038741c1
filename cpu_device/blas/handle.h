// SPDX-License-Identifier: MIT
// The object behind a cublasHandle_t.
#pragma once

#include <cstddef>

#include "simt/cublas_types.h"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomics_mode = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t math_mode = CUBLAS_DEFAULT_MATH;
};

namespace convkit::simt::blas {

// Whether the handle was created and has not been destroyed.
bool is_alive(cublasHandle_t handle);

}  // namespace convkit::simt::blas
