// SPDX-License-Identifier: MIT

#include "cpu_conv.h"

// One channel of one image with one kernel.
static void correlate_plane(const float* image, const float* kernel, float bias, float* out,
                            const Conv2dShape& s) {
  for (int i = 0; i < s.oh(); i++) {
    for (int j = 0; j < s.ow(); j++) {
      float sum = bias;
      for (int p = 0; p < s.kh; p++) {
        for (int q = 0; q < s.kw; q++) {
          int row = i * s.stride_h - s.pad_h + p * s.dilation_h;
          int col = j * s.stride_w - s.pad_w + q * s.dilation_w;
          bool inside = row >= 0 && row < s.h && col >= 0 && col < s.w;
          if (inside) sum += image[row * s.w + col] * kernel[p * s.kw + q];
        }
      }
      out[i * s.ow() + j] = sum;
    }
  }
}

void conv2d_forward(const float* x, const float* w, const float* b, float* y,
                    const Conv2dShape* shape) {
  const Conv2dShape& s = *shape;
  for (int n = 0; n < s.n; n++)
    for (int m = 0; m < s.m; m++)
      for (int c = 0; c < s.c; c++)
        correlate_plane(x + (n * s.c + c) * s.h * s.w, w + (m * s.c + c) * s.kh * s.kw, b[m],
                        y + (n * s.m + m) * s.oh() * s.ow(), s);
}
