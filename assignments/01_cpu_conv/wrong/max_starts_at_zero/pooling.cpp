// SPDX-License-Identifier: MIT
#include "cpu_conv.h"

#include <cmath>

void max_pool2d_forward(const float* x, float* y, const Pool2dShape* s) {
  int at = 0;
  for (int n = 0; n < s->n; n++)
    for (int c = 0; c < s->c; c++)
      for (int i = 0; i < s->oh(); i++)
        for (int j = 0; j < s->ow(); j++) {
          float max = 0;
          for (int row = i * s->stride_h - s->pad_h; row < i * s->stride_h - s->pad_h + s->kh;
               row++)
            for (int col = j * s->stride_w - s->pad_w; col < j * s->stride_w - s->pad_w + s->kw;
                 col++)
              if (row >= 0 && row < s->h && col >= 0 && col < s->w)
                max = fmaxf(max, x[((n * s->c + c) * s->h + row) * s->w + col]);
          y[at++] = max;
        }
}

void avg_pool2d_forward(const float* x, float* y, const Pool2dShape* s, int count_padding) {
  for (int nc = 0; nc < s->n * s->c; nc++)
    for (int i = 0; i < s->oh(); i++)
      for (int j = 0; j < s->ow(); j++) {
        float sum = 0;
        int count = 0;
        for (int p = 0; p < s->kh; p++)
          for (int q = 0; q < s->kw; q++) {
            int row = i * s->stride_h - s->pad_h + p;
            int col = j * s->stride_w - s->pad_w + q;
            bool inside = row >= 0 && row < s->h && col >= 0 && col < s->w;
            if (inside) sum += x[(nc * s->h + row) * s->w + col];
            if (inside || count_padding) count++;
          }
        y[(nc * s->oh() + i) * s->ow() + j] = sum / count;
      }
}

void global_avg_pool_forward(const float* x, float* y, int n, int c, int h, int w) {
  for (int nc = 0; nc < n * c; nc++) {
    float sum = 0;
    for (int i = 0; i < h * w; i++) sum += x[nc * h * w + i];
    y[nc] = sum / (h * w);
  }
}
