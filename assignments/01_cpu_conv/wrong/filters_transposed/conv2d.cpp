// SPDX-License-Identifier: MIT

#include "cpu_conv.h"

void conv2d_forward(const float* x, const float* w, const float* b, float* y,
                    const Conv2dShape* shape) {
  const Conv2dShape& s = *shape;
  for (int n = 0; n < s.n; n++)
    for (int m = 0; m < s.m; m++)
      for (int i = 0; i < s.oh(); i++)
        for (int j = 0; j < s.ow(); j++) {
          float* out = &y[((n * s.m + m) * s.oh() + i) * s.ow() + j];
          *out = b[m];
          for (int p = 0; p < s.kh; p++) {
            const int row = i * s.stride_h - s.pad_h + p * s.dilation_h;
            if (row < 0 || row >= s.h) continue;
            for (int q = 0; q < s.kw; q++) {
              const int col = j * s.stride_w - s.pad_w + q * s.dilation_w;
              if (col < 0 || col >= s.w) continue;
              for (int c = 0; c < s.c; c++)
                *out += x[((n * s.c + c) * s.h + row) * s.w + col] *
                        w[((c * s.m + m) * s.kh + p) * s.kw + q];
            }
          }
        }
}
