// SPDX-License-Identifier: MIT
// Task 01.2: pooling. Images and channels do not mix, so (n, c) is one index over n * c planes.
#include "cpu_conv.h"

void max_pool2d_forward(const float* x, float* y, const Pool2dShape* shape) {
  // TODO(01.2): every y is the largest x of its window. The padding never wins, not even where
  // all of x is negative.
  CONVKIT_TODO("01.2");
}

void avg_pool2d_forward(const float* x, float* y, const Pool2dShape* shape, int count_padding) {
  // TODO(01.2): every y is the mean of its window. count_padding says whether the zeros of the
  // padding are elements of the mean.
  CONVKIT_TODO("01.2");
}

void global_avg_pool_forward(const float* x, float* y, int n, int c, int h, int w) {
  // TODO(01.2): every y[n][c] is the mean of the h * w elements of its channel.
  CONVKIT_TODO("01.2");
}
