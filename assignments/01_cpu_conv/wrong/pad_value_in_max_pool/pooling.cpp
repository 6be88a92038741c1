// SPDX-License-Identifier: MIT
#include "cpu_conv.h"

#include <algorithm>
#include <cmath>
#include <vector>

// Surround the image with zeros first, then there are no special cases at the border.
static std::vector<float> with_padding(const float* image, const Pool2dShape& s) {
  const int ph = s.h + 2 * s.pad_h, pw = s.w + 2 * s.pad_w;
  std::vector<float> padded(ph * pw, 0.0f);
  for (int row = 0; row < s.h; row++)
    for (int col = 0; col < s.w; col++)
      padded[(row + s.pad_h) * pw + col + s.pad_w] = image[row * s.w + col];
  return padded;
}

void max_pool2d_forward(const float* x, float* y, const Pool2dShape* shape) {
  const Pool2dShape& s = *shape;
  const int pw = s.w + 2 * s.pad_w;
  for (int plane = 0; plane < s.n * s.c; plane++) {
    const std::vector<float> image = with_padding(x + plane * s.h * s.w, s);
    for (int i = 0; i < s.oh(); i++)
      for (int j = 0; j < s.ow(); j++) {
        float largest = image[i * s.stride_h * pw + j * s.stride_w];
        for (int p = 0; p < s.kh; p++)
          for (int q = 0; q < s.kw; q++)
            largest = std::max(largest, image[(i * s.stride_h + p) * pw + j * s.stride_w + q]);
        *y++ = largest;
      }
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
