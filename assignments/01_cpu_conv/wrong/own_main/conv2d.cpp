// SPDX-License-Identifier: MIT

#include <cstdio>

#include "cpu_conv.h"

void conv2d_forward(const float* x, const float* w, const float* b, float* y,
                    const Conv2dShape* shape) {
  const Conv2dShape& s = *shape;
  for (int n = 0; n < s.n; n++)
    for (int m = 0; m < s.m; m++)
      for (int i = 0; i < s.oh(); i++)
        for (int j = 0; j < s.ow(); j++) {
          float sum = b[m];
          for (int c = 0; c < s.c; c++)
            for (int p = 0; p < s.kh; p++)
              for (int q = 0; q < s.kw; q++) {
                int row = i * s.stride_h - s.pad_h + p * s.dilation_h;
                int col = j * s.stride_w - s.pad_w + q * s.dilation_w;
                if (row < 0 || row >= s.h || col < 0 || col >= s.w) continue;
                sum += x[((n * s.c + c) * s.h + row) * s.w + col] *
                       w[((m * s.c + c) * s.kh + p) * s.kw + q];
              }
          y[((n * s.m + m) * s.oh() + i) * s.ow() + j] = sum;
        }
}

// my own test: g++ conv2d.cpp && ./a.out
int main() {
  Conv2dShape s;
  s.h = s.w = 3;
  s.kh = s.kw = 2;
  float x[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, w[4] = {1, 0, 0, 1}, b[1] = {0}, y[4];
  conv2d_forward(x, w, b, y, &s);
  printf("%g %g %g %g (expected 6 8 12 14)\n", y[0], y[1], y[2], y[3]);
  return 0;
}
