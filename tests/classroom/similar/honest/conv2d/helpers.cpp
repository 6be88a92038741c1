// SPDX-License-Identifier: MIT
// The index arithmetic lives in small functions.
#include "cpu_conv.h"

static float pixel(const float* img, int rows, int cols, int r, int c) {
  if (r < 0 || c < 0 || r >= rows || c >= cols) return 0;
  return img[(long)r * cols + c];
}

static float one_window(const float* img, const float* ker, const Conv2dShape& s, int top,
                        int left) {
  float total = 0;
  for (int a = 0; a < s.kh; a++)
    for (int e = 0; e < s.kw; e++)
      total +=
          ker[a * s.kw + e] * pixel(img, s.h, s.w, top + a * s.dilation_h, left + e * s.dilation_w);
  return total;
}

void conv2d_forward(const float* x, const float* w, const float* b, float* y,
                    const Conv2dShape* shape) {
  long image = (long)shape->h * shape->w, kernel = (long)shape->kh * shape->kw;
  float* dst = y;
  for (int n = 0; n < shape->n; n++)
    for (int m = 0; m < shape->m; m++)
      for (int top = -shape->pad_h, i = 0; i < shape->oh(); i++, top += shape->stride_h)
        for (int left = -shape->pad_w, j = 0; j < shape->ow(); j++, left += shape->stride_w) {
          float value = b[m];
          for (int c = 0; c < shape->c; c++)
            value += one_window(x + (n * shape->c + c) * image, w + (m * shape->c + c) * kernel,
                                *shape, top, left);
          *dst++ = value;
        }
}
