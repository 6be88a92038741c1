// SPDX-License-Identifier: MIT
// Stage 05: the functions a submission defines. Read-only: the grader uses its own copy and ignores
// one that is handed in.
//
// E is a number that depends on y; dy holds dE/dy, and the functions compute dE/dx, dE/dw, dE/db.
//   x, dx [n][c][h][w]    w, dw [m][c][kh][kw]    b, db [m]    dy [n][m][oh][ow]
//
// d_... point to device memory: float32, row-major and contiguous, as cudaMalloc aligns it. Inputs
// are never written; nothing overlaps. `shape` is host memory. A kernel cannot read it: pass
// *shape.
//
// `accumulate` says what becomes of the output's old content. 0: it is overwritten, whatever it was
// (memory that nobody has initialised, NaN). 1: the gradient is added to it. Either way every
// element of the output must be right, also those that no window touches: their gradient is zero.
//
// Limits: all sizes but n are at least 1, every output size too; n may be 0: dw and db are then
// sums without a term, zero. kh and kw are at most 7; strides and dilations at most 8; n, c and m
// at most 65535; one image of x and of y has fewer than 2^31 elements, the tensors may have more.
//
// A function launches its work on `stream` and returns without waiting for it: cudaSuccess, or the
// first error it met, that of a launch (cudaGetLastError) included. The functions of tasks 05.1 to
// 05.4 return cudaErrorInvalidValue, and touch nothing, if a pointer is null (of tensors with
// elements), if input and output are the same memory, if the shape has no output or groups is not
// 1, and if the workspace is too small: check_arguments() in arguments.cuh checks the first three.
// Those of 05.5 and 05.6 have nothing to refuse: no pointer is null, and every size is at least 1.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "convkit/conv2d_shape.h"
#include "convkit/todo.h"

extern "C" {

// --- 05.1  xgrad.cu --------------------------------------------------------------------------
// dx. Gather: a thread owns an element of dx and collects what belongs to it; no atomics, the same
// bits on every run.
cudaError_t conv2d_xgrad_gather(const float* d_dy, const float* d_w, float* d_dx,
                                const Conv2dShape* shape, int accumulate, cudaStream_t stream);

// dx. Scatter: a thread owns an element of dy and adds to all elements of dx that it came from.
cudaError_t conv2d_xgrad_scatter(const float* d_dy, const float* d_w, float* d_dx,
                                 const Conv2dShape* shape, int accumulate, cudaStream_t stream);

// --- 05.2  wgrad.cu --------------------------------------------------------------------------
// dw. Scatter: a thread owns an element of dy (or several) and adds with atomics.
cudaError_t conv2d_wgrad_scatter(const float* d_x, const float* d_dy, float* d_dw,
                                 const Conv2dShape* shape, int accumulate, cudaStream_t stream);

// dw, the same bits on every run: blocks leave partial sums in the workspace, a second kernel adds
// them in a fixed order. No atomics on floats.
//
// conv2d_wgrad_workspace: how many bytes conv2d_wgrad needs for this shape, at most 64 MiB or as
// many bytes as dw has, whichever is more; 0 if none. d_workspace has workspace_bytes bytes,
// aligned as by cudaMalloc and not initialised. With more than it needs the function must give the
// same bits.
size_t conv2d_wgrad_workspace(const Conv2dShape* shape);
cudaError_t conv2d_wgrad(const float* d_x, const float* d_dy, float* d_dw, const Conv2dShape* shape,
                         int accumulate, void* d_workspace, size_t workspace_bytes,
                         cudaStream_t stream);

// --- 05.3  bgrad.cu --------------------------------------------------------------------------
// db[m], the sum of dy over images, rows and columns: the same bits on every run.
cudaError_t conv2d_bgrad(const float* d_dy, float* d_db, const Conv2dShape* shape, int accumulate,
                         cudaStream_t stream);

// --- 05.4  gemm_grad.cu ----------------------------------------------------------------------
// dx and dw as matrix products with the unrolled image, as fast as you can make them in float32
// arithmetic; both the same bits on every run. The workspace is as for conv2d_wgrad.
size_t conv2d_xgrad_gemm_workspace(const Conv2dShape* shape);
cudaError_t conv2d_xgrad_gemm(const float* d_dy, const float* d_w, float* d_dx,
                              const Conv2dShape* shape, int accumulate, void* d_workspace,
                              size_t workspace_bytes, cudaStream_t stream);

size_t conv2d_wgrad_gemm_workspace(const Conv2dShape* shape);
cudaError_t conv2d_wgrad_gemm(const float* d_x, const float* d_dy, float* d_dw,
                              const Conv2dShape* shape, int accumulate, void* d_workspace,
                              size_t workspace_bytes, cudaStream_t stream);

// --- 05.5  pooling.cu ------------------------------------------------------------------------
// Windows as in stage 01: pad_h < kh and pad_w < kw, no dilation. dx is overwritten.
//
// Max: the whole gradient of a window goes to its largest element; among equal ones to the first,
// row by row. An element of the padding is never the largest. The forward pass does not store the
// places: find them again in x. x holds no NaN.
cudaError_t max_pool2d_backward(const float* d_x, const float* d_dy, float* d_dx,
                                const Pool2dShape* shape, cudaStream_t stream);

// Average: every element of a window gets an equal part. count_padding 0: as many parts as the
// window has elements inside the image; 1: kh * kw, whatever lies outside.
cudaError_t avg_pool2d_backward(const float* d_dy, float* d_dx, const Pool2dShape* shape,
                                int count_padding, cudaStream_t stream);

// --- 05.6  layers.cu -------------------------------------------------------------------------
// Activations, from their *output* y, so that the forward pass may overwrite its input.
//   relu         dx = dy where y > 0, else 0
//   leaky relu   dx = dy where y > 0, else slope * dy     (slope > 0)
//   sigmoid      dx = dy * y * (1 - y)
//   tanh         dx = dy * (1 - y * y)
cudaError_t relu_backward(const float* d_y, const float* d_dy, float* d_dx, int size,
                          cudaStream_t stream);
cudaError_t leaky_relu_backward(const float* d_y, const float* d_dy, float* d_dx, int size,
                                float slope, cudaStream_t stream);
cudaError_t sigmoid_backward(const float* d_y, const float* d_dy, float* d_dx, int size,
                             cudaStream_t stream);
cudaError_t tanh_backward(const float* d_y, const float* d_dy, float* d_dx, int size,
                          cudaStream_t stream);

// The dense layer y = x w^T + b: x [n][in], w [out][in], b [out], y [n][out]. dx is overwritten.
cudaError_t dense_xgrad(const float* d_dy, const float* d_w, float* d_dx, int n, int in, int out,
                        cudaStream_t stream);
cudaError_t dense_wgrad(const float* d_x, const float* d_dy, float* d_dw, int n, int in, int out,
                        int accumulate, cudaStream_t stream);
cudaError_t dense_bgrad(const float* d_dy, float* d_db, int n, int out, int accumulate,
                        cudaStream_t stream);

}  // extern "C"
