// SPDX-License-Identifier: MIT

#include "cpu_conv.h"

#include <cstring>

void conv2d_forward(const float* x, const float* w, const float* b, float* y,
                    const Conv2dShape* shape) {
  const Conv2dShape& s = *shape;
  const int last_row = s.oh() - 1;
  const int last_col = s.ow() - 1;
  memset(y, 0, s.y_size() * sizeof(float));

  for (int n = 0; n < s.n; n++)
    for (int m = 0; m < s.m; m++)
      for (int row = 0; row < last_row; row++)
        for (int col = 0; col < last_col; col++) {
          float total = b[m];
          for (int c = 0; c < s.c; c++)
            for (int r = 0; r < s.kh; r++) {
              int in_row = row * s.stride_h + r * s.dilation_h - s.pad_h;
              if (in_row < 0 || in_row >= s.h) continue;
              for (int t = 0; t < s.kw; t++) {
                int in_col = col * s.stride_w + t * s.dilation_w - s.pad_w;
                if (in_col < 0 || in_col >= s.w) continue;
                total += x[((n * s.c + c) * s.h + in_row) * s.w + in_col] *
                         w[((m * s.c + c) * s.kh + r) * s.kw + t];
              }
            }
          y[((n * s.m + m) * s.oh() + row) * s.ow() + col] = total;
        }
}
