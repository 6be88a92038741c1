// SPDX-License-Identifier: MIT
// Stage 06: the functions a submission defines. Read-only: the grader uses its own copy and ignores
// one that is handed in.
//
// Pointers that begin with d_ are device memory: float32, NCHW, row-major, contiguous; inputs are
// never written, and no output overlaps an input. `handle` is alive, and belongs to the caller; its
// stream is not set. All work goes to `stream`: set it, leave it set, and synchronise only
// where a function measures. Leave as many descriptors behind as there were before: none is kept
// from call to call.
//
// Every function returns CUDNN_STATUS_SUCCESS, or the status of the first call that failed. Nothing
// is printed. Sums are float32: set CUDNN_FMA_MATH, so that no tensor core rounds factors to TF32.
#pragma once

#include <cudnn.h>

#include "convkit/conv2d_shape.h"
#include "convkit/todo.h"

extern "C" {

// --- 06.1  descriptors.cuh, convolution.cuh, dims.cu -------------------------------------------
// dims[4], in host memory, gets n, m, oh and ow of the convolution's output: as cuDNN computes them
// from the descriptors, not from shape->oh(). A shape that cuDNN does not take (a negative padding,
// a stride of 0, no channels) gives its status, and dims is not touched.
cudnnStatus_t conv2d_output_dims(const Conv2dShape* shape, int* dims);

// --- 06.2  forward.cu ------------------------------------------------------------------------
// How many bytes of workspace the algorithm `algo` needs for this shape.
cudnnStatus_t conv2d_workspace(cudnnHandle_t handle, const Conv2dShape* shape,
                               cudnnConvolutionFwdAlgo_t algo, size_t* bytes);
// y = alpha * conv(x, w) + beta * y + b by the algorithm `algo`. Convolution is cross-correlation.
//   x [n][c][h][w], w [m][c / groups][kh][kw], b [m] or null for none, y [n][m][oh][ow]
// With beta = 0, y is not initialised. d_workspace has workspace_bytes bytes: as many as
// conv2d_workspace said; it may be null if they are 0.
cudnnStatus_t conv2d_forward(cudnnHandle_t handle, const Conv2dShape* shape,
                             cudnnConvolutionFwdAlgo_t algo, float alpha, const float* d_x,
                             const float* d_w, const float* d_b, float beta, float* d_y,
                             void* d_workspace, size_t workspace_bytes, cudaStream_t stream);

// --- 06.3  choice.cu -------------------------------------------------------------------------
// A forward algorithm that needs at most limit_bytes of workspace: `algo`, and in `bytes` how many
// it needs. Algorithms with a status other than CUDNN_STATUS_SUCCESS are passed over. If there is
// none, CUDNN_STATUS_NOT_SUPPORTED.
//
// Heuristic: the first that fits in the list of cudnnGetConvolutionForwardAlgorithm_v7.
cudnnStatus_t conv2d_choose_heuristic(cudnnHandle_t handle, const Conv2dShape* shape,
                                      size_t limit_bytes, cudnnConvolutionFwdAlgo_t* algo,
                                      size_t* bytes);
// Measured: the fastest that fits, found by cudnnFindConvolutionForwardAlgorithmEx on these
// operands. d_workspace has limit_bytes bytes, y may be overwritten.
cudnnStatus_t conv2d_choose_measured(cudnnHandle_t handle, const Conv2dShape* shape,
                                     const float* d_x, const float* d_w, float* d_y,
                                     void* d_workspace, size_t limit_bytes,
                                     cudnnConvolutionFwdAlgo_t* algo, size_t* bytes,
                                     cudaStream_t stream);

// --- 06.4  gradients.cu ----------------------------------------------------------------------
// dx = alpha * xgrad(dy, w) + beta * dx, and dw and db likewise; groups is 1. With beta = 0 the
// output is not initialised. The workspace is as in 06.2, for the pass's own algorithms.
cudnnStatus_t conv2d_backward_data_workspace(cudnnHandle_t handle, const Conv2dShape* shape,
                                             cudnnConvolutionBwdDataAlgo_t algo, size_t* bytes);
cudnnStatus_t conv2d_backward_data(cudnnHandle_t handle, const Conv2dShape* shape,
                                   cudnnConvolutionBwdDataAlgo_t algo, float alpha,
                                   const float* d_dy, const float* d_w, float beta, float* d_dx,
                                   void* d_workspace, size_t workspace_bytes, cudaStream_t stream);

cudnnStatus_t conv2d_backward_filter_workspace(cudnnHandle_t handle, const Conv2dShape* shape,
                                               cudnnConvolutionBwdFilterAlgo_t algo, size_t* bytes);
cudnnStatus_t conv2d_backward_filter(cudnnHandle_t handle, const Conv2dShape* shape,
                                     cudnnConvolutionBwdFilterAlgo_t algo, float alpha,
                                     const float* d_x, const float* d_dy, float beta, float* d_dw,
                                     void* d_workspace, size_t workspace_bytes,
                                     cudaStream_t stream);

cudnnStatus_t conv2d_backward_bias(cudnnHandle_t handle, const Conv2dShape* shape, float alpha,
                                   const float* d_dy, float beta, float* d_db, cudaStream_t stream);

// --- 06.5  layers.cu -------------------------------------------------------------------------
// Pooling as in stage 01: max, or the average with the padding counted or left out.
//   x, dx [n][c][h][w], y, dy [n][c][oh][ow]
// x holds no NaN. Backward gets the forward pass's x and y; dx is overwritten.
cudnnStatus_t pool2d_forward(cudnnHandle_t handle, const Pool2dShape* shape,
                             cudnnPoolingMode_t mode, const float* d_x, float* d_y,
                             cudaStream_t stream);
cudnnStatus_t pool2d_backward(cudnnHandle_t handle, const Pool2dShape* shape,
                              cudnnPoolingMode_t mode, const float* d_x, const float* d_y,
                              const float* d_dy, float* d_dx, cudaStream_t stream);

// ReLU, sigmoid or tanh of `size` elements. Backward works from the *output* y, as in stage 05, and
// there is no x: for these three cuDNN takes y in its place.
cudnnStatus_t activation_forward(cudnnHandle_t handle, cudnnActivationMode_t mode, const float* d_x,
                                 float* d_y, int size, cudaStream_t stream);
cudnnStatus_t activation_backward(cudnnHandle_t handle, cudnnActivationMode_t mode,
                                  const float* d_y, const float* d_dy, float* d_dx, int size,
                                  cudaStream_t stream);

// Softmax of each row of x [n][k], which must not overflow for any finite x; and its gradient from
// y and dy.
cudnnStatus_t softmax_forward(cudnnHandle_t handle, const float* d_x, float* d_y, int n, int k,
                              cudaStream_t stream);
cudnnStatus_t softmax_backward(cudnnHandle_t handle, const float* d_y, const float* d_dy,
                               float* d_dx, int n, int k, cudaStream_t stream);

// --- 06.6  network.cu ------------------------------------------------------------------------
// The parameters of the LeNet of stage 01, in device memory.
struct LenetWeights {
  const float *conv1_w, *conv1_b;  // [6][1][5][5],  [6]
  const float *conv2_w, *conv2_b;  // [16][6][5][5], [16]
  const float *fc1_w, *fc1_b;      // [120][400], [120]
  const float *fc2_w, *fc2_b;      // [84][120],  [84]
  const float *fc3_w, *fc3_b;      // [10][84],   [10]
};
// How many bytes lenet_forward needs for n images: all activations and the largest workspace.
cudnnStatus_t lenet_workspace(cudnnHandle_t handle, int n, size_t* bytes);
// x [n][1][28][28] with values in [0, 1]; y [n][10], the probability of each digit.
//   conv1 5x5, pad 2 -> ReLU -> max pool 2x2, stride 2   [n][6][14][14]
//   conv2 5x5        -> ReLU -> max pool 2x2, stride 2   [n][16][5][5]
//   fc1 -> ReLU -> fc2 -> ReLU -> fc3 -> softmax
// Through cuDNN only: no kernel of your own, no cuBLAS. d_workspace has as many bytes as
// lenet_workspace said, aligned as by cudaMalloc.
cudnnStatus_t lenet_forward(cudnnHandle_t handle, const float* d_x, const LenetWeights* weights,
                            float* d_y, int n, void* d_workspace, size_t workspace_bytes,
                            cudaStream_t stream);

// --- 06.7  algorithms.cu ---------------------------------------------------------------------
struct AlgorithmRow {
  cudnnConvolutionFwdAlgo_t algo;
  cudnnStatus_t status;    // of the workspace query, or where that succeeds, of the convolution
  size_t workspace_bytes;  // what the query says; 0 if the status is not a success
  float ms;                // one convolution, on the device; 0 if the status is not a success
};
// Fills rows[CUDNN_CONVOLUTION_FWD_ALGO_COUNT], one row for each algorithm: first those that
// compute this convolution, the fastest first, then the others by their number. d_workspace has
// workspace_bytes bytes, enough for every algorithm; y is overwritten. May synchronise.
cudnnStatus_t compare_algorithms(cudnnHandle_t handle, const Conv2dShape* shape, const float* d_x,
                                 const float* d_w, float* d_y, void* d_workspace,
                                 size_t workspace_bytes, AlgorithmRow* rows, cudaStream_t stream);

}  // extern "C"
