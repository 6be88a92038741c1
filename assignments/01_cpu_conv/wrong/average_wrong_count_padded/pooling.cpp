// SPDX-License-Identifier: MIT
#include "cpu_conv.h"

#include <cmath>

void max_pool2d_forward(const float* x, float* y, const Pool2dShape* s) {
  for (int nc = 0; nc < s->n * s->c; nc++)
    for (int i = 0; i < s->oh(); i++)
      for (int j = 0; j < s->ow(); j++) {
        float best = -INFINITY;
        for (int p = 0; p < s->kh; p++)
          for (int q = 0; q < s->kw; q++) {
            int row = i * s->stride_h - s->pad_h + p;
            int col = j * s->stride_w - s->pad_w + q;
            if (row < 0 || row >= s->h || col < 0 || col >= s->w) continue;
            float v = x[(nc * s->h + row) * s->w + col];
            if (v > best) best = v;
          }
        y[(nc * s->oh() + i) * s->ow() + j] = best;
      }
}

void avg_pool2d_forward(const float* x, float* y, const Pool2dShape* s, int) {
  float* out = y;
  for (int nc = 0; nc < s->n * s->c; nc++) {
    for (int i = 0; i < s->oh(); i++) {
      for (int j = 0; j < s->ow(); j++) {
        // clip the window to the image
        int r0 = i * s->stride_h - s->pad_h, c0 = j * s->stride_w - s->pad_w;
        int r1 = r0 + s->kh, c1 = c0 + s->kw;
        if (r0 < 0) r0 = 0;
        if (c0 < 0) c0 = 0;
        if (r1 > s->h) r1 = s->h;
        if (c1 > s->w) c1 = s->w;
        float sum = 0;
        for (int r = r0; r < r1; r++)
          for (int c = c0; c < c1; c++) sum += x[nc * s->h * s->w + r * s->w + c];
        *out++ = sum / ((r1 - r0) * (c1 - c0));
      }
    }
  }
}

void global_avg_pool_forward(const float* x, float* y, int n, int c, int h, int w) {
  for (int nc = 0; nc < n * c; nc++) {
    float sum = 0;
    for (int i = 0; i < h * w; i++) sum += x[nc * h * w + i];
    y[nc] = sum / (h * w);
  }
}
