// SPDX-License-Identifier: MIT

#include "cpu_conv.h"

void conv2d_forward(const float* x, const float* w, const float* b, float* y,
                    const Conv2dShape* shape) {
  const Conv2dShape& s = *shape;
  const int oh = s.oh();
  const int ow = s.ow();

  // channels outside, so that every kernel element is loaded only once
  for (int n = 0; n < s.n; n++)
    for (int m = 0; m < s.m; m++) {
      float* out = y + (n * s.m + m) * oh * ow;
      for (int c = 0; c < s.c; c++) {
        const float* in = x + (n * s.c + c) * s.h * s.w;
        for (int p = 0; p < s.kh; p++)
          for (int q = 0; q < s.kw; q++) {
            const float weight = w[((m * s.c + c) * s.kh + p) * s.kw + q];
            for (int i = 0; i < oh; i++) {
              const int row = i * s.stride_h + p * s.dilation_h - s.pad_h;
              if (row < 0 || row >= s.h) continue;
              for (int j = 0; j < ow; j++) {
                const int col = j * s.stride_w + q * s.dilation_w - s.pad_w;
                if (col >= 0 && col < s.w) out[i * ow + j] += weight * in[row * s.w + col];
              }
            }
          }
      }
      for (int i = 0; i < oh * ow; i++) out[i] += b[m];
    }
}
