// SPDX-License-Identifier: MIT

#include "cpu_conv.h"

static int x_index(const Conv2dShape& s, int n, int c, int h, int w) {
  return ((n * s.c + c) * s.h + h) * s.w + w;
}

static int w_index(const Conv2dShape& s, int m, int c, int kh, int kw) {
  return ((m * s.c + c) * s.kw + kw) * s.kh + kh;
}

static int y_index(const Conv2dShape& s, int n, int m, int h, int w) {
  return ((n * s.m + m) * s.oh() + h) * s.ow() + w;
}

void conv2d_forward(const float* x, const float* w, const float* b, float* y,
                    const Conv2dShape* shape) {
  const Conv2dShape& s = *shape;
  for (int n = 0; n < s.n; ++n)
    for (int m = 0; m < s.m; ++m)
      for (int i = 0; i < s.oh(); ++i)
        for (int j = 0; j < s.ow(); ++j) {
          float sum = b[m];
          for (int c = 0; c < s.c; ++c)
            for (int kh = 0; kh < s.kh; ++kh)
              for (int kw = 0; kw < s.kw; ++kw) {
                const int row = i * s.stride_h - s.pad_h + kh * s.dilation_h;
                const int col = j * s.stride_w - s.pad_w + kw * s.dilation_w;
                if (row < 0 || col < 0 || row >= s.h || col >= s.w) continue;
                sum += x[x_index(s, n, c, row, col)] * w[w_index(s, m, c, kh, kw)];
              }
          y[y_index(s, n, m, i, j)] = sum;
        }
}
