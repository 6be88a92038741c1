// SPDX-License-Identifier: MIT

#include "cpu_conv.h"

void conv2d_forward(const float* x, const float* w, const float* b, float* y,
                    const Conv2dShape* shape) {
  const Conv2dShape& s = *shape;
  // "same" size
  const int oh = s.h + s.pad_h, ow = s.w + s.pad_w;
  for (int n = 0; n < s.n; n++)
    for (int m = 0; m < s.m; m++)
      for (int i = 0; i < oh; i++)
        for (int j = 0; j < ow; j++) {
          float sum = b[m];
          for (int c = 0; c < s.c; c++)
            for (int p = 0; p < s.kh; p++)
              for (int q = 0; q < s.kw; q++) {
                int row = i * s.stride_h - s.pad_h + p * s.dilation_h;
                int col = j * s.stride_w - s.pad_w + q * s.dilation_w;
                if (row < 0 || row >= s.h || col < 0 || col >= s.w) continue;
                sum += x[((n * s.c + c) * s.h + row) * s.w + col] *
                       w[((m * s.c + c) * s.kh + p) * s.kw + q];
              }
          y[((n * s.m + m) * oh + i) * ow + j] = sum;
        }
}
