// SPDX-License-Identifier: MIT
// Stage @NUMBER@: the function a submission defines. Read-only: the grader uses its own copy, and
// leaves one that is handed in out.
//
// Arrays are float32 and contiguous. Inputs are never written; an output is not initialised and
// every element of it must be written. Input and output never overlap. All sizes are at least 1.
#pragma once

#include <cstdint>

#include "convkit/todo.h"

extern "C" {

// @NUMBER@.1  scale_shift.cpp: y[i] = scale * x[i] + shift for i < size; x [size], y [size].
void scale_shift(const float* x, float* y, int64_t size, float scale, float shift);

}  // extern "C"
