// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>

#include "cpu_conv.h"

void max_pool2d_forward(const float* x, float* y, const Pool2dShape* shape) {
  const Pool2dShape& s = *shape;
  for (int n = 0; n < s.n; ++n) {
    for (int c = 0; c < s.c; ++c) {
      const float* image = x + size_t(n * s.c + c) * s.h * s.w;
      for (int i = 0; i < s.oh(); ++i) {
        for (int j = 0; j < s.ow(); ++j) {
          float best = -INFINITY;
          for (int p = 0; p < s.kh; ++p) {
            const int row = i * s.stride_h - s.pad_h + p;
            if (row < 0 || row >= s.h) continue;
            for (int q = 0; q < s.kw; ++q) {
              const int col = j * s.stride_w - s.pad_w + q;
              if (col < 0 || col >= s.w) continue;
              best = fmaxf(best, image[row * s.w + col]);
            }
          }
          *y++ = best;
        }
      }
    }
  }
}

void avg_pool2d_forward(const float* x, float* y, const Pool2dShape* shape, int count_padding) {
  const Pool2dShape& s = *shape;
  for (int n = 0; n < s.n; ++n) {
    for (int c = 0; c < s.c; ++c) {
      const float* image = x + size_t(n * s.c + c) * s.h * s.w;
      for (int i = 0; i < s.oh(); ++i) {
        for (int j = 0; j < s.ow(); ++j) {
          float sum = 0;
          int elements = 0;
          for (int p = 0; p < s.kh; ++p) {
            const int row = i * s.stride_h - s.pad_h + p;
            if (row < 0 || row >= s.h) continue;
            for (int q = 0; q < s.kw; ++q) {
              const int col = j * s.stride_w - s.pad_w + q;
              if (col < 0 || col >= s.w) continue;
              sum += image[row * s.w + col];
              elements += 1;
            }
          }
          if (count_padding) elements = s.kh * s.kw;
          *y++ = sum / elements;
        }
      }
    }
  }
}

void global_avg_pool_forward(const float* x, float* y, int n, int c, int h, int w) {
  const int size = h * w;
  for (int i = 0; i < n * c; ++i) {
    float sum = 0;
    for (int k = 0; k < size; ++k) sum += x[i * size + k];
    y[i] = sum / size;
  }
}
