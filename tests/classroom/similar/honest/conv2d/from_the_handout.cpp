// SPDX-License-Identifier: MIT
// As the formulas of the handout say it, one after the other.
#include "cpu_conv.h"

void conv2d_forward(const float* x, const float* w, const float* b, float* y,
                    const Conv2dShape* shape) {
  const int oh = shape->oh();
  const int ow = shape->ow();
  for (int n = 0; n < shape->n; ++n) {
    for (int m = 0; m < shape->m; ++m) {
      for (int i = 0; i < oh; ++i) {
        for (int j = 0; j < ow; ++j) {
          float sum = b[m];
          const int first_row = i * shape->stride_h - shape->pad_h;
          const int first_col = j * shape->stride_w - shape->pad_w;
          for (int c = 0; c < shape->c; ++c) {
            for (int p = 0; p < shape->kh; ++p) {
              for (int q = 0; q < shape->kw; ++q) {
                const int row = first_row + p * shape->dilation_h;
                const int col = first_col + q * shape->dilation_w;
                if (row < 0 || row >= shape->h || col < 0 || col >= shape->w) {
                  continue;
                }
                sum += x[((n * shape->c + c) * shape->h + row) * shape->w + col] *
                       w[((m * shape->c + c) * shape->kh + p) * shape->kw + q];
              }
            }
          }
          y[((n * shape->m + m) * oh + i) * ow + j] = sum;
        }
      }
    }
  }
}
