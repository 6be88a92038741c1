// SPDX-License-Identifier: MIT
// Task 01.2: pooling. Images and channels do not mix, so (n, c) is one index over n * c planes.
#include "cpu_conv.h"
// BEGIN SOLUTION(01.2)

#include <algorithm>
#include <limits>

namespace {

// The part of a window that lies on the image: rows [top, bottom), columns [left, right).
struct Window {
  int top, bottom, left, right;
};

Window window_on_image(const Pool2dShape& s, int i, int j) {
  const int row = i * s.stride_h - s.pad_h;
  const int col = j * s.stride_w - s.pad_w;
  return {std::max(row, 0), std::min(row + s.kh, s.h), std::max(col, 0), std::min(col + s.kw, s.w)};
}

}  // namespace
// END SOLUTION

void max_pool2d_forward(const float* x, float* y, const Pool2dShape* shape) {
  // BEGIN SOLUTION(01.2)
  //> // TODO(01.2): every y is the largest x of its window. The padding never wins, not even where
  //> // all of x is negative.
  //> CONVKIT_TODO("01.2");
  const Pool2dShape& s = *shape;
  for (int64_t plane = 0; plane < int64_t(s.n) * s.c; ++plane) {
    const float* image = x + plane * s.h * s.w;
    for (int i = 0; i < s.oh(); ++i) {
      for (int j = 0; j < s.ow(); ++j) {
        const Window window = window_on_image(s, i, j);
        float largest = -std::numeric_limits<float>::infinity();
        for (int row = window.top; row < window.bottom; ++row) {
          for (int col = window.left; col < window.right; ++col) {
            largest = std::max(largest, image[int64_t(row) * s.w + col]);
          }
        }
        *y++ = largest;
      }
    }
  }
  // END SOLUTION
}

void avg_pool2d_forward(const float* x, float* y, const Pool2dShape* shape, int count_padding) {
  // BEGIN SOLUTION(01.2)
  //> // TODO(01.2): every y is the mean of its window. count_padding says whether the zeros of the
  //> // padding are elements of the mean.
  //> CONVKIT_TODO("01.2");
  const Pool2dShape& s = *shape;
  for (int64_t plane = 0; plane < int64_t(s.n) * s.c; ++plane) {
    const float* image = x + plane * s.h * s.w;
    for (int i = 0; i < s.oh(); ++i) {
      for (int j = 0; j < s.ow(); ++j) {
        const Window window = window_on_image(s, i, j);
        float sum = 0;
        for (int row = window.top; row < window.bottom; ++row) {
          for (int col = window.left; col < window.right; ++col) {
            sum += image[int64_t(row) * s.w + col];
          }
        }
        const int on_image = (window.bottom - window.top) * (window.right - window.left);
        const int count = count_padding ? s.kh * s.kw : on_image;
        *y++ = sum / static_cast<float>(count);
      }
    }
  }
  // END SOLUTION
}

void global_avg_pool_forward(const float* x, float* y, int n, int c, int h, int w) {
  // BEGIN SOLUTION(01.2)
  //> // TODO(01.2): every y[n][c] is the mean of the h * w elements of its channel.
  //> CONVKIT_TODO("01.2");
  const int64_t area = int64_t(h) * w;
  for (int64_t plane = 0; plane < int64_t(n) * c; ++plane) {
    float sum = 0;
    for (int64_t at = 0; at < area; ++at) sum += x[plane * area + at];
    y[plane] = sum / static_cast<float>(area);
  }
  // END SOLUTION
}
