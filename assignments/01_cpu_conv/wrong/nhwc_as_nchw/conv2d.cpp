// SPDX-License-Identifier: MIT

#include "cpu_conv.h"

void conv2d_forward(const float* x, const float* w, const float* b, float* y,
                    const Conv2dShape* shape) {
  const Conv2dShape& s = *shape;
  float* dst = y;
  for (int n = 0; n < s.n; n++)
    for (int m = 0; m < s.m; m++)
      for (int i = 0; i < s.oh(); i++)
        for (int j = 0; j < s.ow(); j++) {
          double sum = b[m];
          for (int c = 0; c < s.c; c++)
            for (int p = 0; p < s.kh; p++)
              for (int q = 0; q < s.kw; q++) {
                const int r = i * s.stride_h - s.pad_h + p * s.dilation_h;
                const int k = j * s.stride_w - s.pad_w + q * s.dilation_w;
                if (r < 0 || r >= s.h || k < 0 || k >= s.w) continue;
                // like a picture file: the channels of a pixel stand together
                sum += double(x[((n * s.h + r) * s.w + k) * s.c + c]) *
                       w[((m * s.c + c) * s.kh + p) * s.kw + q];
              }
          *dst++ = float(sum);
        }
}
