// SPDX-License-Identifier: MIT
// Stage 03: the functions a submission defines. Read-only: the grader uses its own copy and ignores
// one that is handed in.
//
// All three compute the same thing: y = cross-correlation of x with w, plus bias.
//   x [n][c][h][w], w [m][c][kh][kw], b [m], y [n][m][oh][ow]
//
// d_x, d_w, d_b and d_y point to device memory: float32, row-major and contiguous, as cudaMalloc
// aligns it. Inputs are never written; an output is not initialised and every element of it must
// be written. Nothing overlaps. `shape` is host memory. A kernel cannot read it: pass *shape.
//
// Limits: all sizes are at least 1, every output size too; kh and kw are at most 7; strides and
// dilations at most 8; n and m at most 65535, the limit of gridDim.y and gridDim.z; one image of x
// and of y has fewer than 2^31 elements, the tensors may have more; groups is 1.
//
// A function launches its kernels on `stream` and returns without waiting for them: cudaSuccess, or
// the first error it met, that of a launch (cudaGetLastError) included.
#pragma once

#include <cuda_runtime.h>

#include "convkit/conv2d_shape.h"
#include "convkit/todo.h"

extern "C" {

// --- 03.1  tiled_single.cu -------------------------------------------------------------------
// One input channel, c = 1, with stride 1 and dilation 1. The rest may be anything: sizes, maps,
// images, padding, kernels that are not square.
cudaError_t conv2d_tiled_single(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                                const Conv2dShape* shape, cudaStream_t stream);

// --- 03.2  tiled.cu --------------------------------------------------------------------------
// Any shape within the limits.
cudaError_t conv2d_tiled(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                         const Conv2dShape* shape, cudaStream_t stream);

// --- 03.3  blocked.cu ------------------------------------------------------------------------
// Any shape within the limits, as fast as you can make it in float32 arithmetic.
cudaError_t conv2d_blocked(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                           const Conv2dShape* shape, cudaStream_t stream);

}  // extern "C"
