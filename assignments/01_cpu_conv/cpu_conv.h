// SPDX-License-Identifier: MIT
// Stage 01: the functions a submission defines. Read-only: the grader uses its own copy and ignores
// one that is handed in.
//
// Every pointer is host memory, row-major and contiguous, aligned to 4 bytes; float32 unless stated
// otherwise.
// Inputs are never written; an output is not initialised and every element of it must be written.
// Input and output never overlap. All sizes are at least 1, every output size is at least 1.
#pragma once

#include <cstdint>

#include "convkit/conv2d_shape.h"
#include "convkit/todo.h"

extern "C" {

// --- 01.1  conv2d.cpp ------------------------------------------------------------------------
// y = cross-correlation of x with w, plus bias, for any shape (see Conv2dShape; groups is 1).
//   x [n][c][h][w], w [m][c][kh][kw], b [m], y [n][m][oh][ow]
void conv2d_forward(const float* x, const float* w, const float* b, float* y,
                    const Conv2dShape* shape);

// --- 01.2  pooling.cpp -----------------------------------------------------------------------
// x [n][c][h][w], y [n][c][oh][ow]. An element of the padding is never the maximum. Every window
// holds at least one element of x.
void max_pool2d_forward(const float* x, float* y, const Pool2dShape* shape);
// The mean of each window. count_padding != 0: the padding's zeros count as elements, so the
// divisor is always kh * kw. count_padding == 0: only elements of x count.
void avg_pool2d_forward(const float* x, float* y, const Pool2dShape* shape, int count_padding);
// The mean of each channel: x [n][c][h][w], y [n][c].
void global_avg_pool_forward(const float* x, float* y, int n, int c, int h, int w);

// --- 01.3  activations.cpp -------------------------------------------------------------------
// Element by element over `size` elements. NaN in, NaN out. The slope is from 0 to 1. tanh keeps
// its digits near zero, too.
void relu_forward(const float* x, float* y, int64_t size);
void leaky_relu_forward(const float* x, float* y, int64_t size, float slope);
void sigmoid_forward(const float* x, float* y, int64_t size);
void tanh_forward(const float* x, float* y, int64_t size);

// --- 01.4  dense.cpp -------------------------------------------------------------------------
// y = x w^T + b:  x [n][in], w [out][in], b [out], y [n][out].
void dense_forward(const float* x, const float* w, const float* b, float* y, int n, int in,
                   int out);
// Softmax of each row of x [n][k]; must not overflow for any finite x.
void softmax_forward(const float* x, float* y, int n, int k);

// --- 01.5  layout.cpp ------------------------------------------------------------------------
// x [n][c][h][w] -> y [n][h][w][c], and back.
void nchw_to_nhwc(const float* x, float* y, int n, int c, int h, int w);
void nhwc_to_nchw(const float* x, float* y, int n, int c, int h, int w);
// TensorFlow's "same" padding of one axis: the output has ceil(size / stride) elements. Writes the
// padding before and after; when the total is odd, the extra element goes after.
void same_padding(int size, int kernel, int stride, int dilation, int* before, int* after);
// conv2d_forward with "same" padding. shape->pad_h and shape->pad_w are 0 and unused.
//   y [n][m][ceil(h / stride_h)][ceil(w / stride_w)]
void conv2d_same_forward(const float* x, const float* w, const float* b, float* y,
                         const Conv2dShape* shape);

// --- 01.6  lenet.cpp -------------------------------------------------------------------------
// The parameters of a LeNet-like network.
struct LenetWeights {
  const float *conv1_w, *conv1_b;  // [6][1][5][5],  [6]
  const float *conv2_w, *conv2_b;  // [16][6][5][5], [16]
  const float *fc1_w, *fc1_b;      // [120][400], [120]
  const float *fc2_w, *fc2_b;      // [84][120],  [84]
  const float *fc3_w, *fc3_b;      // [10][84],   [10]
};
// x [n][1][28][28] with values in [0, 1]; y [n][10], the probability of each digit.
//   conv1 5x5, pad 2 -> ReLU -> max pool 2x2, stride 2   [n][6][14][14]
//   conv2 5x5        -> ReLU -> max pool 2x2, stride 2   [n][16][5][5]
//   flatten -> fc1 -> ReLU -> fc2 -> ReLU -> fc3 -> softmax
void lenet_forward(const float* x, const LenetWeights* weights, float* y, int n);

// --- 01.7  conv2d_fast.cpp -------------------------------------------------------------------
// The same result as conv2d_forward, as fast as you can make it on one core.
void conv2d_fast(const float* x, const float* w, const float* b, float* y,
                 const Conv2dShape* shape);

}  // extern "C"
