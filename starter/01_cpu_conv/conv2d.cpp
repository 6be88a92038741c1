// SPDX-License-Identifier: MIT
// Task 01.1: convolution by its definition, one loop for each index. Slow, but easy to check.
#include "cpu_conv.h"

void conv2d_forward(const float* x, const float* w, const float* b, float* y,
                    const Conv2dShape* shape) {
  // TODO(01.1): every y[n][m][i][j] is b[m] plus the sum of x * w over the window whose first
  // element is row i * stride_h - pad_h, column j * stride_w - pad_w of the image. The next
  // ones lie dilation_h rows and dilation_w columns further on; outside the image x is zero.
  CONVKIT_TODO("01.1");
}
