// SPDX-License-Identifier: MIT
// Task 01.1: convolution by its definition, one loop for each index. Slow, but easy to check.
#include "cpu_conv.h"

void conv2d_forward(const float* x, const float* w, const float* b, float* y,
                    const Conv2dShape* shape) {
  // BEGIN SOLUTION(01.1)
  //> // TODO(01.1): every y[n][m][i][j] is b[m] plus the sum of x * w over the window whose first
  //> // element is row i * stride_h - pad_h, column j * stride_w - pad_w of the image. The next
  //> // ones lie dilation_h rows and dilation_w columns further on; outside the image x is zero.
  //> CONVKIT_TODO("01.1");
  const Conv2dShape& s = *shape;
  const int oh = s.oh(), ow = s.ow();

  for (int n = 0; n < s.n; ++n) {               // image
    for (int m = 0; m < s.m; ++m) {             // filter = output channel
      for (int i = 0; i < oh; ++i) {            // output row
        for (int j = 0; j < ow; ++j) {          // output column
          float sum = b[m];                     // the bias enters once, not once a product
          for (int c = 0; c < s.c; ++c) {       // input channel
            for (int p = 0; p < s.kh; ++p) {    // kernel row
              for (int q = 0; q < s.kw; ++q) {  // kernel column
                const int row = i * s.stride_h - s.pad_h + p * s.dilation_h;
                const int col = j * s.stride_w - s.pad_w + q * s.dilation_w;
                const bool in_padding = row < 0 || row >= s.h || col < 0 || col >= s.w;
                if (in_padding) continue;  // a product with zero
                // 64-bit from the first factor on: the offset of a large tensor exceeds an int.
                const int64_t x_at = ((int64_t(n) * s.c + c) * s.h + row) * s.w + col;
                const int64_t w_at = ((int64_t(m) * s.c + c) * s.kh + p) * s.kw + q;
                sum += x[x_at] * w[w_at];
              }
            }
          }
          y[((int64_t(n) * s.m + m) * oh + i) * ow + j] = sum;
        }
      }
    }
  }
  // END SOLUTION
}
