// SPDX-License-Identifier: MIT
// Stage @NUMBER@: the function a submission defines. Read-only: the grader uses its own copy, and
// leaves one that is handed in out.
//
// It returns cudaSuccess, or the first error that a CUDA call or a launch in it gave. Arrays are
// float32 and contiguous. Inputs are never written; an output is not initialised and every element
// of it must be written. Input and output never overlap. All sizes are at least 1.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "convkit/todo.h"

extern "C" {

// @NUMBER@.1  scale_shift.cu: d_y[i] = scale * d_x[i] + shift for i < size; d_x [size], d_y [size],
// both DEVICE pointers. The work is queued on `stream`; the function need not wait for it.
cudaError_t scale_shift(const float* d_x, float* d_y, int64_t size, float scale, float shift,
                        cudaStream_t stream);

}  // extern "C"
