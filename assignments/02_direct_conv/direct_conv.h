// SPDX-License-Identifier: MIT
// Stage 02: the functions a submission defines. Read-only: the grader uses its own copy and ignores
// one that is handed in.
//
// Every function returns cudaSuccess, or the first error that a CUDA call or a launch in it gave.
// Arrays are float32, row-major and contiguous, aligned to 4 bytes, not more. Inputs are never
// written; an output is not initialised and every element of it must be written. Input and output
// never overlap. All sizes are at least 1.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "convkit/conv2d_shape.h"
#include "convkit/todo.h"

extern "C" {

// --- 02.1  warm_up.cu ------------------------------------------------------------------------
// HOST pointers. The function allocates device memory, copies the inputs to it, launches its
// kernel, copies the result back and frees what it allocated, also where something failed. The
// result is in host memory when the function returns.

// c[i] = a[i] + b[i] for i < n; a [n], b [n], c [n]. If there is not enough device memory, it
// returns cudaErrorMemoryAllocation and touches no array.
cudaError_t vector_add(const float* a, const float* b, float* c, int64_t n);
// c = a b, one thread per element, on a two-dimensional grid.
//   a [rows][inner], b [inner][cols], c [rows][cols]; rows and cols are at most 100 000
cudaError_t matrix_product(const float* a, const float* b, float* c, int rows, int inner, int cols);

// --- 02.2 to 02.4 ----------------------------------------------------------------------------
// y = cross-correlation of x with w, plus bias (see Conv2dShape; groups is 1).
//   d_x [n][c][h][w], d_w [m][c][kh][kw], d_b [m], d_y [n][m][oh][ow]
//
// d_x, d_w, d_b and d_y are DEVICE pointers; `shape` points to host memory and may be gone when the
// kernel runs. All work is queued on `stream`, in order: the inputs may still be on their way
// there, and the caller waits for the stream before it reads d_y. The function itself need not
// wait. n and m are at most 65 535, and no tensor has 2^31 elements or more.

// 02.2  conv2d_direct.cu: one thread per output, any padding, stride and dilation, kernels of any
// size.
cudaError_t conv2d_direct(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                          const Conv2dShape* shape, cudaStream_t stream);
// 02.3  conv2d_constant.cu: the same result, with the filters read from constant memory. One filter
// (c * kh * kw elements) fits into its 64 KiB; all m may not. Calls follow one another on
// one stream, each with other filters.
cudaError_t conv2d_constant(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                            const Conv2dShape* shape, cudaStream_t stream);
// 02.4  conv2d_unrolled.cu: the same result, as fast as you can make it. kh and kw are from 1 to 7
// and may differ, and one filter fits into 64 KiB.
cudaError_t conv2d_unrolled(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                            const Conv2dShape* shape, cudaStream_t stream);

}  // extern "C"
