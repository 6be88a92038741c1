// SPDX-License-Identifier: MIT
// Task 01.5: the two memory layouts of an image batch, and TensorFlow's "same" padding.
#include "cpu_conv.h"

void nchw_to_nhwc(const float* x, float* y, int n, int c, int h, int w) {
  // TODO(01.5): y[image][row][col][channel] = x[image][channel][row][col].
  CONVKIT_TODO("01.5");
}

void nhwc_to_nchw(const float* x, float* y, int n, int c, int h, int w) {
  // TODO(01.5): y[image][channel][row][col] = x[image][row][col][channel].
  CONVKIT_TODO("01.5");
}

void same_padding(int size, int kernel, int stride, int dilation, int* before, int* after) {
  // TODO(01.5): *before and *after give the output ceil(size / stride) elements; the odd one
  // goes after.
  CONVKIT_TODO("01.5");
}

void conv2d_same_forward(const float* x, const float* w, const float* b, float* y,
                         const Conv2dShape* shape) {
  // TODO(01.5): the convolution of x surrounded by the padding that same_padding() gives.
  CONVKIT_TODO("01.5");
}
