// SPDX-License-Identifier: MIT
// Stage 04: the functions a submission defines. Read-only: the grader uses its own copy and ignores
// one that is handed in.
//
// Tensors and matrices are in device memory: float32, row-major and contiguous, as cudaMalloc
// aligns them. Inputs are never written; an output is not initialised (it may hold NaN) and every
// element of it must be written, unless a contract below says otherwise. Nothing overlaps. `shape`
// is host memory: a kernel cannot read it, pass *shape.
//
//   x [n][c][h][w], w [m][c][kh][kw], b [m], y [n][m][oh][ow]
//   u [n][c * kh * kw][oh * ow]     the unrolled matrix of each image:
//     row     (ch * kh + p) * kw + q     a place of the window: channel, row, column
//     column  i * ow + j                 a place of the output
//     u[image][row][column] = x[image][ch][i * stride_h + p * dilation_h - pad_h]
//                                         [j * stride_w + q * dilation_w - pad_w], 0 in the padding
//
// So each image is a matrix product: y[image] = w u[image] + b, where w is read as the matrix
// [m][c * kh * kw] that it is in memory.
//
// Limits: n, m and c * kh * kw are at most 65535; strides and dilations at most 8; one image of x,
// of y and one row of u have fewer than 2^31 elements; u, even that of one image, may have more.
// groups is 1.
//
// A function launches its kernels on `stream` and returns without waiting for them: cudaSuccess, or
// the first error it met, that of a launch (cudaGetLastError) included.
#pragma once

#include <cuda_runtime.h>

#include "convkit/conv2d_shape.h"
#include "convkit/todo.h"

typedef struct cublasContext* cublasHandle_t;  // as in cublas_v2.h

extern "C" {

// --- 04.1  unroll.cu: from images to matrices (im2col) ---------------------------------------
// Where element u[image][row][column] lies: its distance from the beginning of u, in elements. Host
// code; u may have more than 2^31 elements.
int64_t unroll_offset(const Conv2dShape* shape, int64_t image, int64_t row, int64_t column);
// A thread for each element of u.
cudaError_t unroll_elements(const float* d_x, float* d_u, const Conv2dShape* shape,
                            cudaStream_t stream);
// A thread for each column of u, with a grid-stride loop: any number of threads is right for any
// shape.
cudaError_t unroll_columns(const float* d_x, float* d_u, const Conv2dShape* shape,
                           cudaStream_t stream);

// --- 04.2  roll.cu: back (col2im) ------------------------------------------------------------
// The adjoint of unroll: x[image][ch][row][column] is the sum of all elements of u that unroll
// fills from it; 0 where there are none.
//
// Every element of u is added to its place in x, with atomics.
cudaError_t roll_scatter(const float* d_u, float* d_x, const Conv2dShape* shape,
                         cudaStream_t stream);
// Every element of x collects its sum, without atomics: the same bits on every run.
cudaError_t roll_gather(const float* d_u, float* d_x, const Conv2dShape* shape,
                        cudaStream_t stream);

// --- 04.3 to 04.5: c [m][n] = a [m][k] times b [k][n] ----------------------------------------
// Any m, n, k from 1 to 65535; products of two of them may exceed 2^31.
//
// gemm_tiled.cu: tiles of a and b in shared memory, which need not be square.
cudaError_t gemm_tiled(const float* d_a, const float* d_b, float* d_c, int m, int n, int k,
                       cudaStream_t stream);
// gemm_blocked.cu: each thread computes a tile of c in registers.
cudaError_t gemm_blocked(const float* d_a, const float* d_b, float* d_c, int m, int n, int k,
                         cudaStream_t stream);
// gemm_fast.cu: c = alpha a b + beta c, as fast as you can make it in float32 arithmetic. With
// beta = 0 what c holds does not matter, not even NaN. With alpha = 0 you may read a and b or not:
// they hold no NaN then.
cudaError_t gemm_fast(const float* d_a, const float* d_b, float* d_c, int m, int n, int k,
                      float alpha, float beta, cudaStream_t stream);

// --- 04.6 to 04.8: y = cross-correlation of x with w, plus bias ------------------------------
// All three check their arguments before they launch anything. cudaErrorInvalidValue for
//   a null pointer, d_workspace included; d_y == d_x; a size, stride or dilation below 1 (n = 0 is
//   allowed, see below); a padding below 0; groups other than 1; a kernel that reaches beyond the
//   padded input; less workspace than for one image.
// With n = 0 there is nothing to do: cudaSuccess, whatever the pointers are.
//
// Bytes of the unrolled matrix of one image.
size_t conv2d_gemm_workspace(const Conv2dShape* shape);
// conv_unroll.cu: unroll and your own product. d_workspace has workspace_bytes bytes, aligned as
// by cudaMalloc. Unroll as many images at a time as fit, and touch no byte beyond the workspace.
cudaError_t conv2d_gemm(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                        const Conv2dShape* shape, void* d_workspace, size_t workspace_bytes,
                        cudaStream_t stream);
// conv_cublas.cu: the same with the product of the library. It is column-major; nothing is
// transposed or copied for it. `handle` is created and destroyed by the caller; a status other than
// CUBLAS_STATUS_SUCCESS is returned as cudaErrorUnknown.
cudaError_t conv2d_cublas(cublasHandle_t handle, const float* d_x, const float* d_w,
                          const float* d_b, float* d_y, const Conv2dShape* shape, void* d_workspace,
                          size_t workspace_bytes, cudaStream_t stream);
// conv_implicit.cu: the product without the matrix. u is never stored; where a tile of it is
// loaded, the address in x is computed instead.
cudaError_t conv2d_implicit(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                            const Conv2dShape* shape, cudaStream_t stream);

}  // extern "C"
