// SPDX-License-Identifier: MIT
#include <cfloat>

#include "cpu_conv.h"

void max_pool2d_forward(const float* x, float* y, const Pool2dShape* shape) {
  for (int n = 0; n < shape->n; n++)
    for (int c = 0; c < shape->c; c++)
      for (int i = 0; i < shape->oh(); i++)
        for (int j = 0; j < shape->ow(); j++) {
          float best = -FLT_MAX;
          for (int p = 0; p < shape->kh; p++)
            for (int q = 0; q < shape->kw; q++) {
              int r = i * shape->stride_h - shape->pad_h + p;
              int s = j * shape->stride_w - shape->pad_w + q;
              if (r < 0 || r >= shape->h || s < 0 || s >= shape->w) continue;
              float v = x[((n * shape->c + c) * shape->h + r) * shape->w + s];
              if (v > best) best = v;
            }
          y[((n * shape->c + c) * shape->oh() + i) * shape->ow() + j] = best;
        }
}

void avg_pool2d_forward(const float* x, float* y, const Pool2dShape* shape, int count_padding) {
  for (int n = 0; n < shape->n; n++)
    for (int c = 0; c < shape->c; c++)
      for (int i = 0; i < shape->oh(); i++)
        for (int j = 0; j < shape->ow(); j++) {
          float sum = 0;
          int count = 0;
          for (int p = 0; p < shape->kh; p++)
            for (int q = 0; q < shape->kw; q++) {
              int r = i * shape->stride_h - shape->pad_h + p;
              int s = j * shape->stride_w - shape->pad_w + q;
              if (r < 0 || r >= shape->h || s < 0 || s >= shape->w) continue;
              sum += x[((n * shape->c + c) * shape->h + r) * shape->w + s];
              count++;
            }
          if (count_padding) count = shape->kh * shape->kw;
          y[((n * shape->c + c) * shape->oh() + i) * shape->ow() + j] = sum / count;
        }
}

void global_avg_pool_forward(const float* x, float* y, int n, int c, int h, int w) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < c; j++) {
      float sum = 0;
      for (int k = 0; k < h * w; k++) sum += x[(i * c + j) * h * w + k];
      y[i * c + j] = sum / (h * w);
    }
}
