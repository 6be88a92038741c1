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

// The mean of the window is the mean of the means of its rows.
void avg_pool2d_forward(const float* x, float* y, const Pool2dShape* s, int count_padding) {
  for (int nc = 0; nc < s->n * s->c; nc++) {
    for (int i = 0; i < s->oh(); i++) {
      for (int j = 0; j < s->ow(); j++) {
        float mean = 0;
        for (int p = 0; p < s->kh; p++) {
          int row = i * s->stride_h - s->pad_h + p;
          float sum = 0;
          int used = 0;
          for (int q = 0; q < s->kw; q++) {
            int col = j * s->stride_w - s->pad_w + q;
            if (row >= 0 && row < s->h && col >= 0 && col < s->w) {
              sum += x[(nc * s->h + row) * s->w + col];
              used++;
            }
          }
          if (count_padding) used = s->kw;
          mean += sum / used / s->kh;
        }
        y[(nc * s->oh() + i) * s->ow() + j] = mean;
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
