// SPDX-License-Identifier: MIT
// The window is cut to the image, so the loops need no test.
#include <algorithm>

#include "cpu_conv.h"

void max_pool2d_forward(const float* x, float* y, const Pool2dShape* shape) {
  int H = shape->h, W = shape->w, oh = shape->oh(), ow = shape->ow();
  for (int nc = 0; nc < shape->n * shape->c; nc++) {
    const float* src = x + (size_t)nc * H * W;
    float* dst = y + (size_t)nc * oh * ow;
    for (int i = 0; i < oh; i++) {
      int r0 = i * shape->stride_h - shape->pad_h;
      int r1 = std::min(H, r0 + shape->kh);
      if (r0 < 0) r0 = 0;
      for (int j = 0; j < ow; j++) {
        int c0 = j * shape->stride_w - shape->pad_w;
        int c1 = std::min(W, c0 + shape->kw);
        if (c0 < 0) c0 = 0;
        float m = src[r0 * W + c0];
        for (int r = r0; r < r1; r++)
          m = std::max(m, *std::max_element(src + r * W + c0, src + r * W + c1));
        dst[i * ow + j] = m;
      }
    }
  }
}

void avg_pool2d_forward(const float* x, float* y, const Pool2dShape* shape, int count_padding) {
  int H = shape->h, W = shape->w, oh = shape->oh(), ow = shape->ow();
  for (int nc = 0; nc < shape->n * shape->c; nc++) {
    const float* src = x + (size_t)nc * H * W;
    for (int i = 0; i < oh; i++) {
      for (int j = 0; j < ow; j++) {
        int r0 = std::max(0, i * shape->stride_h - shape->pad_h);
        int c0 = std::max(0, j * shape->stride_w - shape->pad_w);
        int r1 = std::min(H, i * shape->stride_h - shape->pad_h + shape->kh);
        int c1 = std::min(W, j * shape->stride_w - shape->pad_w + shape->kw);
        double total = 0;
        for (int r = r0; r < r1; r++)
          for (int c = c0; c < c1; c++) total += src[r * W + c];
        int divisor = shape->kh * shape->kw;
        if (!count_padding) divisor = (r1 - r0) * (c1 - c0);
        y[((size_t)nc * oh + i) * ow + j] = (float)(total / divisor);
      }
    }
  }
}

void global_avg_pool_forward(const float* x, float* y, int n, int c, int h, int w) {
  const float* p = x;
  for (float* q = y; q < y + n * c; q++) {
    double total = 0;
    for (const float* end = p + h * w; p < end; p++) total += *p;
    *q = total / (h * w);
  }
}
