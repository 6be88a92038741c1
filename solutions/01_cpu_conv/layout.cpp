// SPDX-License-Identifier: MIT
// Task 01.5: the two memory layouts of an image batch, and TensorFlow's "same" padding.
#include "cpu_conv.h"
// BEGIN SOLUTION(01.5)

#include <algorithm>
#include <cstddef>
#include <vector>
// END SOLUTION

void nchw_to_nhwc(const float* x, float* y, int n, int c, int h, int w) {
  // BEGIN SOLUTION(01.5)
  //> // TODO(01.5): y[image][row][col][channel] = x[image][channel][row][col].
  //> CONVKIT_TODO("01.5");
  const int64_t area = int64_t(h) * w;  // (row, col) keep their order: one index for both
  for (int image = 0; image < n; ++image, x += c * area, y += c * area) {
    for (int64_t pixel = 0; pixel < area; ++pixel) {
      for (int channel = 0; channel < c; ++channel) {
        y[pixel * c + channel] = x[channel * area + pixel];
      }
    }
  }
  // END SOLUTION
}

void nhwc_to_nchw(const float* x, float* y, int n, int c, int h, int w) {
  // BEGIN SOLUTION(01.5)
  //> // TODO(01.5): y[image][channel][row][col] = x[image][row][col][channel].
  //> CONVKIT_TODO("01.5");
  const int64_t area = int64_t(h) * w;
  for (int image = 0; image < n; ++image, x += c * area, y += c * area) {
    for (int channel = 0; channel < c; ++channel) {
      for (int64_t pixel = 0; pixel < area; ++pixel) {
        y[channel * area + pixel] = x[pixel * c + channel];
      }
    }
  }
  // END SOLUTION
}

void same_padding(int size, int kernel, int stride, int dilation, int* before, int* after) {
  // BEGIN SOLUTION(01.5)
  //> // TODO(01.5): *before and *after give the output ceil(size / stride) elements; the odd one
  //> // goes after.
  //> CONVKIT_TODO("01.5");
  const int output = (size + stride - 1) / stride;
  const int reach = dilation * (kernel - 1) + 1;  // elements from the first tap to the last
  const int needed = (output - 1) * stride + reach;
  const int total = std::max(needed - size, 0);  // a stride above the reach needs no padding
  *before = total / 2;
  *after = total - *before;
  // END SOLUTION
}

void conv2d_same_forward(const float* x, const float* w, const float* b, float* y,
                         const Conv2dShape* shape) {
  // BEGIN SOLUTION(01.5)
  //> // TODO(01.5): the convolution of x surrounded by the padding that same_padding() gives.
  //> CONVKIT_TODO("01.5");
  int top, bottom, left, right;
  same_padding(shape->h, shape->kh, shape->stride_h, shape->dilation_h, &top, &bottom);
  same_padding(shape->w, shape->kw, shape->stride_w, shape->dilation_w, &left, &right);

  // conv2d_forward pads both sides alike, so the zeros are written out here, around a copy of x.
  Conv2dShape padded = *shape;
  padded.h = top + shape->h + bottom;
  padded.w = left + shape->w + right;
  padded.pad_h = padded.pad_w = 0;
  std::vector<float> surrounded(static_cast<size_t>(padded.x_size()), 0.0f);
  for (int64_t plane = 0; plane < int64_t(shape->n) * shape->c; ++plane) {
    for (int row = 0; row < shape->h; ++row) {
      const float* from = x + (plane * shape->h + row) * shape->w;
      float* to = surrounded.data() + (plane * padded.h + top + row) * padded.w + left;
      std::copy(from, from + shape->w, to);
    }
  }
  conv2d_forward(surrounded.data(), w, b, y, &padded);
  // END SOLUTION
}
