// SPDX-License-Identifier: MIT

#include "cpu_conv.h"

void conv2d_forward(const float* x, const float* w, const float* b, float* y,
                    const Conv2dShape* s) {
  const int plane_in = s->h * s->w;
  const int plane_out = s->oh() * s->ow();
  const int ksize = s->kh * s->kw;

  for (int n = 0; n < s->n; ++n)
    for (int m = 0; m < s->m; ++m)
      for (int p = 0; p < plane_out; ++p) {
        const int top = p / s->ow() * s->stride_h - s->pad_h;
        const int left = p % s->ow() * s->stride_w - s->pad_w;
        float sum = 0;
        for (int c = 0; c < s->c; ++c) {
          const float* image = x + (n * s->c + c) * plane_in;
          const float* kernel = w + (m * s->c + c) * ksize;
          for (int i = 0; i < s->kh; ++i) {
            if (top + i < 0 || top + i >= s->h) continue;
            for (int j = 0; j < s->kw; ++j) {
              if (left + j < 0 || left + j >= s->w) continue;
              sum += image[(top + i) * s->w + left + j] * kernel[i * s->kw + j];
            }
          }
        }
        y[(n * s->m + m) * plane_out + p] = sum + b[m];
      }
}
